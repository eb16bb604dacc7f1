shard.grid @grid(shape = 2x4)
shard.grid @open(shape = ?x2x?)

func.func @places(%i: index) -> (index, index) {
  %0:2 = shard.grid_shape @grid : index, index
  %1 = shard.grid_shape @grid axes = [1] : index
  %2:2 = shard.process_multi_index on @grid : index, index
  %3 = shard.process_multi_index on @grid axes = [0] : index
  %4 = shard.process_linear_index on @grid : index
  %5, %6 = shard.neighbors_linear_indices on @grid[%i, %i] split_axes = [0] : index, index
  return %5, %6 : index, index
}

func.func @sharded(%t: tensor<8x4xf32>, %n: i64, %i: index) -> tensor<8x4xf32> {
  %0 = shard.sharding @grid split_axes = [[0], [1]] : !shard.sharding
  %1 = shard.sharding @grid split_axes = [[0]] halo_sizes = [1, %n] : !shard.sharding
  %2 = shard.sharding @grid split_axes = [[0]] sharded_dims_offsets = [0, %n, 8] : !shard.sharding
  %3 = shard.shard %t to %0 : tensor<8x4xf32>
  %4 = shard.shard %3 to %1 annotate_for_users : tensor<8x4xf32>
  %5 = shard.get_sharding %3 : tensor<8x4xf32> -> !shard.sharding
  %6:2 = shard.shard_shape dims = [8, %i] sharding = %5 device = [%i, 3] : index, index
  return %4 : tensor<8x4xf32>
}

func.func @exchange(%t: tensor<8x4xf32>, %m: memref<8x4xf32>, %i: index, %n: i64) {
  %0 = shard.all_gather %t on @grid grid_axes = [1] gather_axis = 1 : tensor<8x4xf32> -> tensor<8x16xf32>
  %1 = shard.all_reduce %t on @grid grid_axes = [1, 0] reduction = max : tensor<8x4xf32> -> tensor<8x4xf64>
  %2 = shard.all_reduce %m on @grid : memref<8x4xf32> -> memref<8x4xf32>
  %3 = shard.all_slice %t on @grid grid_axes = [0] slice_axis = 0 : tensor<8x4xf32> -> tensor<4x4xf32>
  %4 = shard.all_to_all %t on @grid grid_axes = [0] split_axis = 0 concat_axis = 0 : tensor<8x4xf32> -> tensor<8x4xf32>
  %5 = shard.broadcast %t on @grid grid_axes = [0] root = [%i] : (tensor<8x4xf32>, index) -> tensor<8x4xf32>
  %6 = shard.gather %t on @grid grid_axes = [0] gather_axis = 0 root = [1] : (tensor<8x4xf32>) -> tensor<16x4xf32>
  %7 = shard.recv %t on @grid grid_axes = [0] source = [%i] : (tensor<8x4xf32>, index) -> tensor<8x4xf32>
  %8 = shard.reduce %t on @grid grid_axes = [1] reduction = sum root = [2] : (tensor<8x4xf32>) -> tensor<8x4xf32>
  %9 = shard.reduce_scatter %t on @grid grid_axes = [0] scatter_axis = 0 : tensor<8x4xf32> -> tensor<4x4xf32>
  %10 = shard.scatter %t on @grid grid_axes = [0] scatter_axis = 0 root = [1] : (tensor<8x4xf32>) -> tensor<4x4xf32>
  %11 = shard.send %t on @grid grid_axes = [0] destination = [1] : (tensor<8x4xf32>) -> tensor<8x4xf32>
  %12 = shard.shift %t on @grid grid_axes = [1] shift_axis = 1 offset = -1 rotate : tensor<8x4xf32> -> tensor<8x4xf32>
  %13 = shard.update_halo %m on @grid split_axes = [[0]] halo_sizes = [1, %n] : memref<8x4xf32>
  return
}
