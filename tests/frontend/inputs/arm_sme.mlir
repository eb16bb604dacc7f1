func.func @tiles(%m: memref<?x?xf32>, %i: index, %f: f32, %k: vector<[4]xi1>, %kk: vector<[4]x[4]xi1>, %v: vector<[4]xf32>, %h: vector<[8]xf16>, %kh: vector<[8]xi1>, %b: vector<[16]xi8>) {
  %0 = arm_sme.get_tile : vector<[4]x[4]xf32>
  %1 = arm_sme.zero : vector<[4]x[4]xf32>
  %2 = arm_sme.copy_tile %1 : vector<[4]x[4]xf32>
  %3 = arm_sme.tile_load %m[%i, %i] : memref<?x?xf32>, vector<[4]x[4]xf32>
  %4 = arm_sme.tile_load %m[%i, %i], %f, %kk layout<vertical> : memref<?x?xf32>, vector<[4]x[4]xf32>
  arm_sme.tile_store %4, %m[%i, %i] : memref<?x?xf32>, vector<[4]x[4]xf32>
  arm_sme.tile_store %4, %m[%i, %i], %kk layout<vertical> : memref<?x?xf32>, vector<[4]x[4]xf32>
  %5 = arm_sme.load_tile_slice %m[%i, %i], %k, %4, %i : memref<?x?xf32>, vector<[4]xi1>, vector<[4]x[4]xf32>
  arm_sme.store_tile_slice %5, %i, %k, %m[%i, %i] layout<vertical> : memref<?x?xf32>, vector<[4]xi1>, vector<[4]x[4]xf32>
  %6 = arm_sme.insert_tile_slice %v, %5[%i] : vector<[4]xf32> into vector<[4]x[4]xf32>
  %7 = arm_sme.extract_tile_slice %6[%i] layout<vertical> : vector<[4]xf32> from vector<[4]x[4]xf32>
  %8 = arm_sme.outerproduct %v, %v kind<sub> acc(%6) masks(%k, %k) : vector<[4]xf32>, vector<[4]xf32>
  %9 = arm_sme.fmopa_2way %h, %h acc(%8) masks(%kh, %kh) : vector<[8]xf16>, vector<[8]xf16> into vector<[4]x[4]xf32>
  %10 = arm_sme.smopa_4way %b, %b : vector<[16]xi8>, vector<[16]xi8> into vector<[4]x[4]xi32>
  %11 = arm_sme.streaming_vl <word>
  return
}
