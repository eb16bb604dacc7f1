irdl.dialect @cmath {
  irdl.type @complex {
    %0 = irdl.is f32
    irdl.parameters(elem: %0)
  }
}
