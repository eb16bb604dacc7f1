func.func @complex(%z: complex<f32>, %x: f32, %i: i32) {
  %0 = complex.abs %z : complex<f32>
  %1 = complex.angle %z fastmath<nnan,contract> : complex<f32>
  %2 = complex.conj %z {test.note} : complex<f32>
  %3 = complex.cos %z : complex<f32>
  %4 = complex.exp %z fastmath<nnan,contract> : complex<f32>
  %5 = complex.expm1 %z {test.note} : complex<f32>
  %6 = complex.im %z : complex<f32>
  %7 = complex.log %z fastmath<nnan,contract> : complex<f32>
  %8 = complex.log1p %z {test.note} : complex<f32>
  %9 = complex.neg %z : complex<f32>
  %10 = complex.re %z fastmath<nnan,contract> : complex<f32>
  %11 = complex.rsqrt %z {test.note} : complex<f32>
  %12 = complex.sign %z : complex<f32>
  %13 = complex.sin %z fastmath<nnan,contract> : complex<f32>
  %14 = complex.sqrt %z {test.note} : complex<f32>
  %15 = complex.tan %z : complex<f32>
  %16 = complex.tanh %z fastmath<nnan,contract> : complex<f32>
  %17 = complex.add %z, %z : complex<f32>
  %18 = complex.atan2 %z, %z fastmath<fast> : complex<f32>
  %19 = complex.div %z, %z {test.note} : complex<f32>
  %20 = complex.eq %z, %z : complex<f32>
  %21 = complex.mul %z, %z fastmath<fast> : complex<f32>
  %22 = complex.neq %z, %z : complex<f32>
  %23 = complex.pow %z, %z : complex<f32>
  %24 = complex.sub %z, %z fastmath<fast> : complex<f32>
  %25 = complex.eq %z, %z {test.note} : complex<f32>
  %26 = complex.powi %z, %i fastmath<fast> : complex<f32>, i32
  %27 = complex.create %x, %x : complex<f32>
  %28 = complex.bitcast %z : complex<f32> to i64
  %29 = complex.constant [1.0 : f32, -2.5 : f32] : complex<f32>
  %30 = complex.constant [0.1, 2.0] {test.note} : complex<f64>
  return
}
