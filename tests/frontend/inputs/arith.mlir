func.func @values(%a: f32, %x: f64, %i: i32, %j: i64, %v: vector<4xi32>, %w: vector<4xi1>, %c: i1, %m: memref<4xf32>, %n: index) {
  %0 = arith.addf %a, %a fastmath<fast> : f32
  %1 = arith.truncf %x to_nearest_even fastmath<nnan,ninf> : f64 to f32
  %2 = arith.addi %i, %i overflow<nsw, nuw> {test.note} : i32
  %3 = arith.shrsi %i, %i exact : i32
  %low, %high = arith.mulsi_extended %i, %i : i32
  %sum, %carry = arith.addui_extended %v, %v : vector<4xi32>, vector<4xi1>
  %4 = arith.trunci %j overflow<nsw> : i64 to i32
  %5 = arith.cmpf olt, %a, %a fastmath<fast> : f32
  %6 = arith.cmpi "slt", %v, %v : vector<4xi32>
  %7 = arith.negf %a : f32
  %8 = arith.select %w, %v, %v : vector<4xi1>, vector<4xi32>
  %9 = arith.select %c, %m, %m : memref<4xf32>
  %10 = arith.constant true
  %11 = arith.constant -1.0e-05 : f32
  %12 = arith.constant 0x7FC00000 : f32
  %13 = arith.constant {test.note} -5 : index
  %14 = arith.constant dense<[1, -2, 3, 4]> : vector<4xi32>
  %15 = arith.constant 5
  %16 = arith.constant sparse<[[0, 0], [1, 2]], [1, 5]> : tensor<3x4xi32>
  %17 = arith.constant dense<"0x0102030405060708"> : tensor<2xi32>
  %18 = arith.index_cast %n : index to i32
  %19 = arith.bitcast %a : f32 to i32
  %20 = arith.scaling_extf %a, %a fastmath<fast> : f32, f32 to f64
  %21 = arith.minsi %v, %v : vector<4xi32>
  return
}
