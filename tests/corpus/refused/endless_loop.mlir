// A block that branches to itself.

// expected-error@below {{Only structured control-flow loops are supported.}}
func.func @endless() {
  cf.br ^here
^here:
  cf.br ^here
}
