pdl.pattern @p : benefit(2) attributes {a} {
  %0 = type
  %1 = operation "a.b" -> (%0 : !pdl.type)
  rewrite %1 {
    replace %1 with %1
  }
}
// -----
pdl.pattern : benefit(1) {
  %0 = operation
  rewrite %0 with "erase"
}
