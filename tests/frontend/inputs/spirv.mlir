spirv.module @m Logical GLSL450 requires #spirv.vce<v1.3, [Shader, Linkage], []> attributes {a} {
  spirv.GlobalVariable @id built_in("WorkgroupId") : !spirv.ptr<vector<3xi32>, Input>
  spirv.GlobalVariable @data bind(0, 1) : !spirv.ptr<!spirv.struct<(!spirv.array<4 x f32, stride=4> [0])>, StorageBuffer>
  spirv.SpecConstant @one = 1 : i32
  spirv.SpecConstant @flag spec_id(5) = true
  spirv.SpecConstantComposite @both (@one, @one) : !spirv.struct<(i32, i32)>
  spirv.GlobalVariable @start initializer(@one) : !spirv.ptr<i32, Private>
  spirv.func @callee(%x: i32) -> i32 "None" {
    spirv.ReturnValue %x : i32
  }
  spirv.func @nothing() "Inline|Pure" attributes {b = 1 : i32} {
    spirv.Return
  }
  spirv.func @main(%c: i1, %n: i32) "None" {
    %0 = spirv.mlir.addressof @id : !spirv.ptr<vector<3xi32>, Input>
    %1 = spirv.Load "Input" %0 : vector<3xi32>
    %2 = spirv.CompositeExtract %1[0 : i32] : vector<3xi32>
    %3 = spirv.mlir.addressof @data : !spirv.ptr<!spirv.struct<(!spirv.array<4 x f32, stride=4> [0])>, StorageBuffer>
    %4 = spirv.Constant 0 : i32
    %5 = spirv.AccessChain %3[%4, %2] : !spirv.ptr<!spirv.struct<(!spirv.array<4 x f32, stride=4> [0])>, StorageBuffer>, i32, i32 -> !spirv.ptr<f32, StorageBuffer>
    %6 = spirv.Load "StorageBuffer" %5 ["Aligned", 4] : f32
    spirv.Store "StorageBuffer" %5, %6 ["Volatile"] : f32
    spirv.Store "StorageBuffer" %5, %6 : f32
    %7 = spirv.Variable : !spirv.ptr<i32, Function>
    %8 = spirv.Variable init(%4) : !spirv.ptr<i32, Function>
    spirv.CopyMemory "Function" %7, "Function" %8 : i32
    spirv.CopyMemory "Function" %7, "Function" %8 ["Aligned", 4], ["Volatile"] : i32
    %9 = spirv.FunctionCall @callee(%n) : (i32) -> i32
    spirv.FunctionCall @nothing() : () -> ()
    %10 = spirv.mlir.referenceof @one : i32
    %11 = spirv.Undef : vector<2xi32>
    %12 = spirv.Constant true
    %13 = spirv.Constant dense<1.0> : vector<4xf32>
    %14 = spirv.Constant [1 : i32, 2 : i32] : !spirv.array<2 x i32>
    %15 = spirv.Constant dense<2> : tensor<2xi32> : !spirv.array<2 x i32>
    spirv.mlir.loop {
      spirv.Branch ^header(%4 : i32)
    ^header(%i: i32):
      %16 = spirv.SLessThan %i, %n : i32
      spirv.BranchConditional %16, ^body, ^merge
    ^body:
      spirv.Branch ^continue
    ^continue:
      %17 = spirv.IAdd %i, %i : i32
      spirv.Branch ^header(%17 : i32)
    ^merge:
      spirv.mlir.merge
    }
    %18 = spirv.mlir.selection -> i32 {
      spirv.BranchConditional %c [1, 2], ^then(%n : i32), ^merge(%4 : i32)
    ^then(%t: i32):
      spirv.Branch ^merge(%t : i32)
    ^merge(%r: i32):
      spirv.mlir.merge %r : i32
    }
    spirv.mlir.selection control(Flatten) {
      spirv.Switch %n : i32, [
        default: ^merge,
        0: ^case(%n : i32),
        -1: ^merge
      ]
    ^case(%v: i32):
      spirv.Branch ^merge
    ^merge:
      spirv.mlir.merge
    }
    spirv.ControlBarrier <Workgroup>, <Device>, <Acquire|UniformMemory>
    spirv.MemoryBarrier <Device>, <Acquire|UniformMemory>
    spirv.Return
  }
  spirv.EntryPoint "GLCompute" @main, @id, @data
  spirv.ExecutionMode @main "LocalSize", 8, 1, 1
}
// -----
spirv.module Physical64 OpenCL {
  spirv.func @f(%p: !spirv.ptr<i32, CrossWorkgroup>, %q: !spirv.ptr<i64, CrossWorkgroup>) -> i32 "Inline" {
    %0 = spirv.Constant 1 : i32
    spirv.ReturnValue %0 : i32
  ^never:
    spirv.Unreachable
  }
  spirv.func @external(i32) -> i32 "Pure" attributes {linkage_attributes = #spirv.linkage_attributes<linkage_name = "external", linkage_type = <Import>>}
}
// -----
func.func @values(%a: i32, %b: i32, %f: f32, %v: vector<4xf32>, %c: i1, %m: !spirv.matrix<4 x vector<4xf32>>, %p: !spirv.ptr<i32, StorageBuffer>, %s: !spirv.struct<(i32, f32)>) {
  %0 = spirv.IAdd %a, %b : i32
  %1 = spirv.GL.Fma %f, %f, %f : f32
  %2 = spirv.GL.Exp %f : f32
  %3 = spirv.GL.FMax %f, %f : f32
  %4 = spirv.FOrdLessThan %v, %v : vector<4xf32>
  %5 = spirv.IsNan %f : f32
  %6 = spirv.LogicalNot %c : i1
  %7 = spirv.ConvertFToS %f : f32 to i32
  %8 = spirv.ShiftLeftLogical %a, %b : i32, i32
  %9 = spirv.BitFieldInsert %a, %b, %a, %b : i32, i32, i32
  %10 = spirv.MatrixTimesScalar %m, %f : !spirv.matrix<4 x vector<4xf32>>, f32
  %11 = spirv.Dot %v, %v : vector<4xf32> -> f32
  %12 = spirv.MatrixTimesVector %m, %v : !spirv.matrix<4 x vector<4xf32>>, vector<4xf32> -> vector<4xf32>
  %13 = spirv.GL.FMix %f : f32, %f : f32, %f : f32 -> f32
  %14 = spirv.GL.Length %v : vector<4xf32> -> f32
  %15 = spirv.IAddCarry %a, %b : !spirv.struct<(i32, i32)>
  %16 = spirv.SDot %a, %b, <PackedVectorFormat4x8Bit> : i32 -> i32
  %17 = spirv.SDotAccSat %a, %b, %a, <PackedVectorFormat4x8Bit> : i32 -> i32
  %18 = spirv.Select %c, %a, %b : i1, i32
  %19 = spirv.VectorTimesScalar %v, %f : (vector<4xf32>, f32) -> vector<4xf32>
  %20 = spirv.VectorShuffle [1 : i32, 3 : i32] %v, %v : vector<4xf32>, vector<4xf32> -> vector<2xf32>
  %21 = spirv.VectorExtractDynamic %v[%a] : vector<4xf32>, i32
  %22 = spirv.VectorInsertDynamic %f, %v[%a] : vector<4xf32>, i32
  %23 = spirv.CompositeConstruct %a, %f : (i32, f32) -> !spirv.struct<(i32, f32)>
  %24 = spirv.CompositeInsert %a, %s[0 : i32] : i32 into !spirv.struct<(i32, f32)>
  %25 = spirv.AtomicIAdd <Device> <None> %p, %a : !spirv.ptr<i32, StorageBuffer>
  %26 = spirv.AtomicCompareExchange <Workgroup> <Release> <Acquire> %p, %a, %b : !spirv.ptr<i32, StorageBuffer>
  %27 = spirv.GroupFAdd <Workgroup> <Reduce> %f : f32
  %28 = spirv.GroupNonUniformElect <Workgroup> : i1
  %29 = spirv.GroupBroadcast <Workgroup> %f, %a : f32, i32
  %four = spirv.Constant 4 : i32
  %30 = spirv.GroupNonUniformIAdd <Workgroup> <Reduce> %a : i32 -> i32
  %31 = spirv.GroupNonUniformIAdd <Workgroup> <ClusteredReduce> %a cluster_size(%four) : i32, i32 -> i32
  %32 = spirv.KHR.SubgroupBallot %c : vector<4xi32>
  %33 = spirv.INTEL.SubgroupBlockRead %p : !spirv.ptr<i32, StorageBuffer> -> i32
  spirv.INTEL.SubgroupBlockWrite "StorageBuffer" %p, %a : i32
  spirv.KHR.AssumeTrue %c
  spirv.INTEL.ControlBarrierArrive <Workgroup> <Device> <Acquire|UniformMemory>
  return
}
// -----
func.func @pointers(%p: !spirv.ptr<f32, CrossWorkgroup>, %a: i64, %q: !spirv.ptr<!spirv.array<4 x f32>, CrossWorkgroup>) {
  %0 = spirv.PtrAccessChain %p[%a] : !spirv.ptr<f32, CrossWorkgroup>, i64 -> !spirv.ptr<f32, CrossWorkgroup>
  %1 = spirv.InBoundsPtrAccessChain %q[%a %a] : !spirv.ptr<!spirv.array<4 x f32>, CrossWorkgroup>, i64, i64 -> !spirv.ptr<f32, CrossWorkgroup>
  return
}

// -----

!image = !spirv.image<f32, Dim2D, NoDepth, NonArrayed, SingleSampled, NeedSampler, Rgba8>
!storage = !spirv.image<f32, Dim2D, NoDepth, NonArrayed, SingleSampled, NoSampler, Rgba8>
func.func @images(%s: !spirv.sampled_image<!image>, %m: !storage, %c: vector<2xf32>, %i: vector<2xi32>, %d: f32, %t: vector<4xf32>) {
  %0 = spirv.Image %s : !spirv.sampled_image<!image>
  %1 = spirv.ImageDrefGather %s, %c, %d : !spirv.sampled_image<!image>, vector<2xf32>, f32 -> vector<4xf32>
  %2 = spirv.ImageQuerySize %m : !storage -> vector<2xi32>
  %3 = spirv.ImageRead %m, %i : !storage, vector<2xi32> -> vector<4xf32>
  spirv.ImageWrite %m, %i, %t : !storage, vector<2xi32>, vector<4xf32>
  return
}

// -----

spirv.ARM.Graph @graph(%x: !spirv.arm.tensor<4xi8>) -> !spirv.arm.tensor<4xi8> {
  %0 = spirv.ARM.GraphConstant {graph_constant_id = 1 : i32} : !spirv.arm.tensor<4xi8>
  spirv.ARM.GraphOutputs %x : !spirv.arm.tensor<4xi8>
}

// -----

spirv.module Logical Vulkan {
  spirv.GlobalVariable @in bind(0, 0) : !spirv.ptr<!spirv.arm.tensor<4xi8>, UniformConstant>
  spirv.ARM.GraphEntryPoint @graph, @in
  spirv.ARM.Graph @graph(%x: !spirv.arm.tensor<4xi8>) -> !spirv.arm.tensor<4xi8> {
    spirv.ARM.GraphOutputs %x : !spirv.arm.tensor<4xi8>
  }
}

// -----

func.func @shared(%p: !spirv.ptr<i32, StorageBuffer>, %n: i32, %c: i1, %k: vector<4xi32>, %a: !spirv.coopmatrix<8x16xi32, Subgroup, MatrixA>, %b: !spirv.coopmatrix<16x4xi32, Subgroup, MatrixB>, %d: !spirv.coopmatrix<8x4xi32, Subgroup, MatrixAcc>, %f: !spirv.ptr<i8, UniformConstant>) {
  %0 = spirv.KHR.CooperativeMatrixLength : !spirv.coopmatrix<8x16xi32, Subgroup, MatrixA>
  %1 = spirv.KHR.CooperativeMatrixLoad %p, %n, <RowMajor>, <Volatile> : !spirv.ptr<i32, StorageBuffer>, i32 -> !spirv.coopmatrix<16x8xi32, Workgroup, MatrixA>
  spirv.KHR.CooperativeMatrixStore %p, %a, %n, <ColumnMajor> : !spirv.ptr<i32, StorageBuffer>, !spirv.coopmatrix<8x16xi32, Subgroup, MatrixA>, i32
  %2 = spirv.KHR.CooperativeMatrixMulAdd %a, %b, %d, <ASigned> : !spirv.coopmatrix<8x16xi32, Subgroup, MatrixA>, !spirv.coopmatrix<16x4xi32, Subgroup, MatrixB> -> !spirv.coopmatrix<8x4xi32, Subgroup, MatrixAcc>
  %3 = spirv.GroupNonUniformAllEqual <Subgroup> %n : i32, i1
  %4 = spirv.GroupNonUniformBallotBitCount <Subgroup> <Reduce> %k : vector<4xi32> -> i32
  %5 = spirv.GroupNonUniformRotateKHR <Subgroup> %n, %n : i32, i32 -> i32
  %6 = spirv.CL.printf %f %n, %n : !spirv.ptr<i8, UniformConstant>, i32, i32 -> i32
  %7 = spirv.EXT.ConstantCompositeReplicate [1 : i32] : vector<2xi32>
  return
}

// -----

func.func @mesh(%n: i32) {
  spirv.EXT.SetMeshOutputs %n, %n : i32, i32
  return
}

// -----

spirv.module Logical GLSL450 {
  spirv.SpecConstant @one = 1 : i32
  spirv.EXT.SpecConstantCompositeReplicate @many (@one) : !spirv.array<3 x i32>
}
// -----
spirv.module Logical GLSL450 {
  spirv.SpecConstant @known = 42 : i32
  spirv.func @computed() -> i32 "None" {
    %0 = spirv.Constant 1 : i32
    %1 = spirv.SpecConstantOperation wraps "spirv.IAdd"(%0, %0) {a} : (i32, i32) -> i32
    %2 = "spirv.Not"(%0) : (i32) -> i32
    %3 = spirv.mlir.referenceof @known : i32
    %4 = spirv.SpecConstantOperation wraps "spirv.IMul"(%3, %1)
      // on lines of its own
      : (i32, i32) -> i32 loc("x")
    %5 = "spirv.SpecConstantOperation"() ({
      %6 = spirv.ISub %4, %3 : i32
      spirv.mlir.yield %6 : i32
    }) : () -> i32
    spirv.ReturnValue %5 : i32
  }
}
