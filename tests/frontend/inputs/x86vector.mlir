func.func @vectors(%k: vector<16xi1>, %a: vector<16xf32>, %i: i32, %m: i16, %x: vector<16xi32>, %f: vector<4xf32>, %h: vector<8xbf16>, %g: vector<8xf32>, %w: vector<4xi32>, %c: vector<16xi8>, %b: memref<1xbf16>, %d: memref<16xbf16>) {
  %0 = x86vector.avx512.mask.compress %k, %a, %a : vector<16xf32>, vector<16xf32>
  %1 = x86vector.avx512.mask.compress %k, %a : vector<16xf32>
  %2 = x86vector.avx512.mask.rndscale %a, %i, %a, %m, %i : vector<16xf32>
  %3 = x86vector.avx512.mask.scalef %a, %a, %a, %m, %i : vector<16xf32>
  %4, %5 = x86vector.avx512.vp2intersect %x, %x : vector<16xi32>
  %6 = x86vector.avx512.dot %f, %h, %h : vector<8xbf16> -> vector<4xf32>
  %7 = x86vector.avx512.cvt.packed.f32_to_bf16 %g : vector<8xf32> -> vector<8xbf16>
  %8 = x86vector.avx.rsqrt %g : vector<8xf32>
  %9 = x86vector.avx.intr.dot %g, %g : vector<8xf32>
  %10 = x86vector.avx.dot.i8 %w, %c, %c : vector<16xi8> -> vector<4xi32>
  %11 = x86vector.avx.bcst_to_f32.packed %b : memref<1xbf16> -> vector<8xf32>
  %12 = x86vector.avx.cvt.packed.even.indexed_to_f32 %d : memref<16xbf16> -> vector<8xf32>
  %13 = x86vector.avx.cvt.packed.odd.indexed_to_f32 %d : memref<16xbf16> -> vector<8xf32>
  return
}
