irdl.dialect @cmath {
  irdl.type @complex {
    %0 = irdl.is f32
    irdl.parameters(elem: %0)
  }
}
// -----
irdl.dialect @shapes attributes {a} {
  irdl.attribute @number {
    %0 = irdl.is i32
    irdl.parameters(width: %0)
  }
  irdl.type @square {
    %0 = irdl.any
    %1 = irdl.base "!builtin.integer"
    %2 = irdl.any_of(%0, %1)
    %3 = irdl.c_pred "::llvm::isa<::mlir::IntegerAttr>($_self)"
    %4 = irdl.all_of(%2, %3)
    irdl.parameters(side: %4)
  }
  irdl.operation @area {
    %0 = irdl.any
    %1 = irdl.parametric @shapes::@square<%0>
    %2 = irdl.base @shapes::@number
    irdl.operands(square: %1, others: variadic %1)
    irdl.results(area: %0)
    irdl.attributes {"unit" = %2}
    %3 = irdl.region
    %4 = irdl.region()
    %5 = irdl.region(%0) with size 1
    irdl.regions(body: %3, none: %4, one: %5)
  }
}
