func.func @pointers(%p: !ptr.ptr<#ptr.generic_space>, %m: memref<4xf32, #ptr.generic_space>, %ps: vector<4x!ptr.ptr<#ptr.generic_space>>, %k: vector<4xi1>, %v: vector<4xf32>, %i: index, %f: f32) -> memref<4xf32, #ptr.generic_space> {
  %0 = ptr.constant #ptr.null : !ptr.ptr<#ptr.generic_space>
  %1 = ptr.to_ptr %m : memref<4xf32, #ptr.generic_space> -> !ptr.ptr<#ptr.generic_space>
  %2 = ptr.get_metadata %m : memref<4xf32, #ptr.generic_space>
  %3 = ptr.from_ptr %1 metadata %2 : !ptr.ptr<#ptr.generic_space> -> memref<4xf32, #ptr.generic_space>
  %4 = ptr.type_offset f32 : index
  %5 = ptr.ptr_add nuw %p, %4 : !ptr.ptr<#ptr.generic_space>, index
  %6 = ptr.ptr_diff %5, %p : !ptr.ptr<#ptr.generic_space> -> index
  %7 = ptr.load volatile %p atomic syncscope("agent") monotonic invariant alignment = 8 : !ptr.ptr<#ptr.generic_space> -> i64
  ptr.store %f, %p nontemporal : f32, !ptr.ptr<#ptr.generic_space>
  %8 = ptr.gather %ps, %k, %v alignment = 4 : vector<4x!ptr.ptr<#ptr.generic_space>> -> vector<4xf32>
  ptr.scatter %v, %ps, %k : vector<4xf32>, vector<4x!ptr.ptr<#ptr.generic_space>>
  %9 = ptr.masked_load %p, %k, %v : !ptr.ptr<#ptr.generic_space> -> vector<4xf32>
  ptr.masked_store %v, %p, %k : vector<4xf32>, !ptr.ptr<#ptr.generic_space>
  return %3 : memref<4xf32, #ptr.generic_space>
}
