pdl_interp.func @matcher(%arg0: !pdl.operation) {
  pdl_interp.finalize
}
// -----
pdl_interp.func @build(%arg0: !pdl.operation) -> !pdl.operation attributes {a} {
  pdl_interp.finalize
}
