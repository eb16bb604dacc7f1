func.func @index(%a: index, %b: index, %i: i32) {
  %0 = index.add %a, %b {test.note}
  %1 = index.and %a, %b
  %2 = index.ceildivs %a, %b
  %3 = index.ceildivu %a, %b
  %4 = index.divs %a, %b
  %5 = index.divu %a, %b
  %6 = index.floordivs %a, %b
  %7 = index.maxs %a, %b
  %8 = index.maxu %a, %b
  %9 = index.mins %a, %b
  %10 = index.minu %a, %b
  %11 = index.mul %a, %b
  %12 = index.or %a, %b
  %13 = index.rems %a, %b
  %14 = index.remu %a, %b
  %15 = index.shl %a, %b
  %16 = index.shrs %a, %b
  %17 = index.shru %a, %b
  %18 = index.sub %a, %b
  %19 = index.xor %a, %b
  %20 = index.casts %i : i32 to index
  %21 = index.castu %a {test.note} : index to i64
  %22 = index.cmp slt(%a, %b)
  %23 = index.cmp ugt(%a, %b) {test.note}
  %24 = index.constant 42
  %25 = index.constant {test.note} -3
  %26 = index.bool.constant true
  %27 = index.bool.constant {test.note} false
  %28 = index.sizeof
  %29 = index.sizeof {test.note}
  return
}
