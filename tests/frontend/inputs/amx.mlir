func.func @f(%arg0: memref<?x?xi8>, %arg1: index, %arg2: memref<?x?xi32>, %arg3: memref<?x?xf32>, %arg4: memref<?x?xbf16>) {
  %0 = amx.tile_zero : !amx.tile<16x16xi32>
  %1 = amx.tile_load %arg0[%arg1, %arg1] : memref<?x?xi8> into !amx.tile<16x64xi8>
  %2 = amx.tile_load %arg0[%arg1, %arg1], %arg1 : memref<?x?xi8> into !amx.tile<16x64xi8>
  %3 = amx.tile_muli %1 zext, %1 zext, %0 : !amx.tile<16x64xi8>, !amx.tile<16x64xi8>, !amx.tile<16x16xi32>
  %4 = amx.tile_muli %1, %1, %0 : !amx.tile<16x64xi8>, !amx.tile<16x64xi8>, !amx.tile<16x16xi32>
  amx.tile_store %arg2[%arg1, %arg1], %3 : memref<?x?xi32>, !amx.tile<16x16xi32>
  amx.tile_store %arg2[%arg1, %arg1], %3, %arg1 : memref<?x?xi32>, !amx.tile<16x16xi32>
  %5 = amx.tile_zero : !amx.tile<16x16xf32>
  %6 = amx.tile_load %arg4[%arg1, %arg1] : memref<?x?xbf16> into !amx.tile<16x32xbf16>
  %7 = amx.tile_mulf %6, %6, %5 : !amx.tile<16x32xbf16>, !amx.tile<16x32xbf16>, !amx.tile<16x16xf32>
  return
}
