llvm.func @declared(i32 {llvm.noundef}, ...)
llvm.func @only_variadic(...)
llvm.func internal hidden unnamed_addr fastcc @variadic(%a: i32 {llvm.noundef}, %p: !llvm.ptr, ...) -> (i32 {llvm.noundef})
    vscale_range(1, 2) comdat(@comdats::@any) attributes {no_inline} {
  llvm.return {test.note} %a : i32
}
llvm.func @no_result(!llvm.ptr, i32) attributes {sym_visibility = "private"}
llvm.comdat @comdats {
  llvm.comdat_selector @any any
  llvm.comdat_selector @largest "largest" {test.note}
}
llvm.mlir.global private hidden thread_local local_unnamed_addr constant @number(42 : i32) comdat(@comdats::@any) {alignment = 8 : i64} : i32
llvm.mlir.global @string("text")
llvm.mlir.global internal constant @terminated("text\00") {addr_space = 0 : i32}
llvm.mlir.global external @undefined() : !llvm.array<4 x i32>
llvm.mlir.global internal @dense(dense<[1, 2]> : tensor<2xi32>) : !llvm.array<2 x i32>
llvm.mlir.global internal @initialized() {test.note} : i32 {
  %0 = llvm.mlir.constant(1 : i32) : i32
  llvm.return %0 : i32
}
llvm.mlir.alias external hidden unnamed_addr @alias {dso_local} : i32 {
  %0 = llvm.mlir.addressof @number : !llvm.ptr
  llvm.return %0 : !llvm.ptr
}
llvm.mlir.ifunc external @indirect : !llvm.func<void ()>, !llvm.ptr @resolver {dso_local}
llvm.func @resolver() -> !llvm.ptr {
  %0 = llvm.mlir.zero : !llvm.ptr
  llvm.return %0 : !llvm.ptr
}
llvm.mlir.global_ctors ctors = [@resolver], priorities = [0 : i32], data = [#llvm.zero]
llvm.mlir.global_dtors dtors = [@resolver], priorities = [0 : i32], data = [#llvm.zero] {test.note}
llvm.module_flags [#llvm.mlir.module_flag<error, "wchar_size", 4 : i32>]
llvm.linker_options ["-l", "m"]
llvm.func @constants() {
  %0 = llvm.mlir.constant(42) : i64
  %1 = llvm.mlir.constant(1.0 : f32) : f32
  %2 = llvm.mlir.constant(dense<0> : vector<4xi8>) {test.note} : vector<4xi8>
  %3 = llvm.mlir.constant("text") : !llvm.array<4 x i8>
  %4 = llvm.mlir.constant(true) : i1
  %5 = llvm.mlir.undef : !llvm.struct<(i32, ptr)>
  %6 = llvm.mlir.poison : vector<4xf32>
  %7 = llvm.mlir.zero {test.note} : !llvm.ptr<1>
  %8 = llvm.mlir.none : !llvm.token
  %9 = llvm.mlir.addressof @string : !llvm.ptr
  %10 = llvm.dso_local_equivalent @resolver : !llvm.ptr
  %11 = llvm.blockaddress <function = @constants, tag = <id = 1>> : !llvm.ptr
  llvm.br ^end
^end:
  llvm.blocktag <id = 1>
  llvm.return
}
// -----
llvm.func @arithmetic(%a: i32, %x: f32, %p: !llvm.ptr, %v: vector<4xi32>) {
  %0 = llvm.add %a, %a overflow<nsw, nuw> : i32
  %1 = llvm.sub %a, %a : i32
  %2 = llvm.mul %v, %v {test.note} : vector<4xi32>
  %3 = llvm.udiv exact %a, %a : i32
  %4 = llvm.sdiv %a, %a : i32
  %5 = llvm.urem %a, %a : i32
  %6 = llvm.srem %a, %a : i32
  %7 = llvm.and %a, %a : i32
  %8 = llvm.or disjoint %a, %a : i32
  %9 = llvm.xor %a, %a : i32
  %10 = llvm.shl %a, %a overflow<nsw> : i32
  %11 = llvm.lshr exact %a, %a : i32
  %12 = llvm.ashr %a, %a : i32
  %13 = llvm.fadd %x, %x {fastmathFlags = #llvm.fastmath<fast>} : f32
  %14 = llvm.fsub %x, %x : f32
  %15 = llvm.fmul %x, %x : f32
  %16 = llvm.fdiv %x, %x : f32
  %17 = llvm.frem %x, %x : f32
  %18 = llvm.fneg %x : f32
  %19 = llvm.freeze %x : f32
  %20 = llvm.icmp "eq" %a, %a : i32
  %21 = llvm.icmp "ult" %v, %v : vector<4xi32>
  %22 = llvm.fcmp "olt" %x, %x {fastmathFlags = #llvm.fastmath<nnan>} : f32
  %23 = llvm.icmp "ne" %p, %p : !llvm.ptr
  %24 = llvm.select %20, %a, %a : i1, i32
  %25 = llvm.bitcast %a : i32 to f32
  %26 = llvm.addrspacecast %p : !llvm.ptr to !llvm.ptr<3>
  %27 = llvm.ptrtoint %p : !llvm.ptr to i64
  %28 = llvm.inttoptr %27 dereferenceable<bytes = 8> : i64 to !llvm.ptr
  %29 = llvm.sext %a : i32 to i64
  %30 = llvm.zext nneg %a : i32 to i64
  %31 = llvm.trunc %29 overflow<nuw> : i64 to i32
  %32 = llvm.sitofp %a : i32 to f32
  %33 = llvm.uitofp nneg %a : i32 to f32
  %34 = llvm.fptosi %x : f32 to i32
  %35 = llvm.fptoui %x {test.note} : f32 to i32
  %36 = llvm.fpext %x : f32 to f64
  %37 = llvm.fptrunc %36 : f64 to f32
  llvm.return
}
// -----
llvm.func @memory(%a: i32, %n: i64, %p: !llvm.ptr, %s: !llvm.struct<(i32, array<2 x f32>)>, %v: vector<4xi32>) {
  %0 = llvm.alloca %a x !llvm.struct<(i32, f32)> : (i32) -> !llvm.ptr
  %1 = llvm.alloca inalloca %n x i32 {alignment = 4 : i64} : (i64) -> !llvm.ptr
  %2 = llvm.getelementptr %p[%n] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %3 = llvm.getelementptr inbounds|nuw %0[0, 1] {test.note} : (!llvm.ptr) -> !llvm.ptr, !llvm.struct<(i32, f32)>
  %4 = llvm.getelementptr inbounds %0[%n, 1] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.struct<(i32, f32)>
  %5 = llvm.load %2 : !llvm.ptr -> i8
  %6 = llvm.load volatile %p atomic syncscope("agent") monotonic invariant {alignment = 4 : i64} : !llvm.ptr -> i32
  %7 = llvm.load %p invariant_group dereferenceable<bytes = 8, mayBeNull = true> : !llvm.ptr -> !llvm.ptr
  llvm.store %a, %p : i32, !llvm.ptr
  llvm.store volatile %a, %p atomic release invariant_group {alignment = 4 : i64} : i32, !llvm.ptr
  %8 = llvm.atomicrmw add %p, %a monotonic : !llvm.ptr, i32
  %9 = llvm.atomicrmw volatile xchg %p, %a syncscope("agent") acq_rel {alignment = 8 : i64} : !llvm.ptr, i32
  %10 = llvm.cmpxchg %p, %a, %a acq_rel monotonic : !llvm.ptr, i32
  %11 = llvm.cmpxchg weak volatile %p, %a, %a syncscope("agent") seq_cst acquire {test.note} : !llvm.ptr, i32
  llvm.fence "acquire"
  llvm.fence syncscope("agent") release {test.note}
  %12 = llvm.va_arg %p : (!llvm.ptr) -> i32
  %13 = llvm.extractvalue %s[1, 0] : !llvm.struct<(i32, array<2 x f32>)>
  %14 = llvm.insertvalue %13, %s[1, 1] {test.note} : !llvm.struct<(i32, array<2 x f32>)>
  %15 = llvm.extractelement %v[%a : i32] : vector<4xi32>
  %16 = llvm.insertelement %15, %v[%n : i64] : vector<4xi32>
  %17 = llvm.shufflevector %v, %16 [0, 5, -1] : vector<4xi32>
  llvm.return
}
// -----
llvm.func @personality(...) -> i32
llvm.func @callee(i32) -> i32
llvm.func @variadic(!llvm.ptr, ...)
llvm.mlir.global external constant @type_info() : !llvm.ptr
llvm.func @calls(%a: i32, %p: !llvm.ptr) -> i32 attributes {personality = @personality} {
  %0 = llvm.call @callee(%a) : (i32) -> i32
  %attributed = llvm.call @callee(%a) : (i32 {llvm.noundef}) -> (i32 {llvm.noundef, llvm.signext})
  %1 = llvm.call fastcc musttail @callee(%a) {no_unwind} : (i32) -> i32
  %2 = llvm.call %p(%a, %1) : !llvm.ptr, (i32, i32) -> i32
  llvm.call @variadic(%p, %2) vararg(!llvm.func<void (ptr, ...)>) : (!llvm.ptr, i32) -> ()
  llvm.call %p() ["tag"(%a, %0 : i32, i32), "other"()] : !llvm.ptr, () -> ()
  %3 = llvm.call_intrinsic "llvm.some"(%a) ["tag"(%0 : i32)] {test.note} : (i32) -> i32
  llvm.call_intrinsic "llvm.other"() : () -> ()
  %4 = llvm.inline_asm has_side_effects is_align_stack asm_dialect = "intel" operand_attrs = [{}] "text", "=r,r" %a : (i32) -> i32
  %5 = llvm.inline_asm tail_call_kind = <tail> {test.note} "text", "=r,r,r" %a, %4 : (i32, i32) -> i32
  llvm.inline_asm "nop", "" : () -> ()
  %6 = llvm.mlir.addressof @type_info : !llvm.ptr
  %7 = llvm.mlir.undef : !llvm.array<1 x ptr>
  %8 = llvm.invoke @callee(%a) to ^normal(%a : i32) unwind ^unwind : (i32) -> i32
^normal(%9: i32):
  %10 = llvm.invoke fastcc %p(%9) to ^more unwind ^unwind ["tag"(%a : i32)] {test.note} : !llvm.ptr, (i32) -> i32
^more:
  llvm.invoke @variadic(%p, %a) to ^normal(%10 : i32) unwind ^other vararg(!llvm.func<void (ptr, ...)>) : (!llvm.ptr, i32) -> ()
^unwind:
  %11 = llvm.landingpad cleanup (catch %6 : !llvm.ptr) (filter %7 : !llvm.array<1 x ptr>) : !llvm.struct<(ptr, i32)>
  llvm.resume %11 : !llvm.struct<(ptr, i32)>
^other:
  %12 = llvm.landingpad cleanup : !llvm.struct<(ptr, i32)>
  llvm.unreachable
}
// -----
llvm.func @branches(%a: i32, %c: i1, %p: !llvm.ptr) {
  llvm.cond_br %c weights([1, 2]), ^one(%a : i32), ^two
^one(%0: i32):
  llvm.switch %0 : i32, ^one(%a : i32) [
    1: ^two,
    -2: ^three(%0, %a : i32, i32)
  ] {branch_weights = array<i32: 1, 2, 3>}
^two:
  llvm.switch %a : i32, ^four [
  ]
^three(%1: i32, %2: i32):
  llvm.indirectbr %p : !llvm.ptr, [
    ^four,
    ^one(%2 : i32),
    ^three(%1, %a : i32, i32)
  ] {test.note}
^four:
  llvm.cond_br %c, ^five, ^two {test.note}
^five:
  llvm.br ^three(%a, %a : i32, i32) {loop_annotation = #llvm.loop_annotation<disableNonforced = true>}
}
// -----
llvm.func @intrinsics(%i: i32, %x: f32, %v: vector<4xf32>) {
  %0 = llvm.intr.acos(%x) {fastmathFlags = #llvm.fastmath<nnan>} : (f32) -> f32
  %1 = llvm.intr.asin(%x) : (f32) -> f32
  %2 = llvm.intr.atan(%x) : (f32) -> f32
  %3 = llvm.intr.atan2(%x, %x) : (f32, f32) -> f32
  %4 = llvm.intr.bitreverse(%i) : (i32) -> i32
  %5 = llvm.intr.bswap(%i) : (i32) -> i32
  %6 = llvm.intr.ceil(%x) : (f32) -> f32
  %7 = llvm.intr.copysign(%x, %x) : (f32, f32) -> f32
  %8 = llvm.intr.cos(%x) : (f32) -> f32
  %9 = llvm.intr.cosh(%x) : (f32) -> f32
  %10 = llvm.intr.ctpop(%i) : (i32) -> i32
  %11 = llvm.intr.exp(%x) : (f32) -> f32
  %12 = llvm.intr.exp10(%x) : (f32) -> f32
  %13 = llvm.intr.exp2(%x) : (f32) -> f32
  %14 = llvm.intr.fabs(%x) : (f32) -> f32
  %15 = llvm.intr.floor(%x) : (f32) -> f32
  %16 = llvm.intr.fma(%x, %x, %x) : (f32, f32, f32) -> f32
  %17 = llvm.intr.fmuladd(%x, %x, %x) : (f32, f32, f32) -> f32
  %18 = llvm.intr.frexp(%x) : (f32) -> !llvm.struct<(f32, i32)>
  %19 = llvm.intr.fshl(%i, %i, %i) : (i32, i32, i32) -> i32
  %20 = llvm.intr.fshr(%i, %i, %i) : (i32, i32, i32) -> i32
  %21 = llvm.intr.ldexp(%x, %i) : (f32, i32) -> f32
  %22 = llvm.intr.llrint(%x) : (f32) -> i64
  %23 = llvm.intr.llround(%x) : (f32) -> i64
  %24 = llvm.intr.log(%x) : (f32) -> f32
  %25 = llvm.intr.log10(%x) : (f32) -> f32
  %26 = llvm.intr.log2(%x) : (f32) -> f32
  %27 = llvm.intr.lrint(%x) : (f32) -> i64
  %28 = llvm.intr.lround(%x) : (f32) -> i64
  %29 = llvm.intr.maximum(%x, %x) : (f32, f32) -> f32
  %30 = llvm.intr.maxnum(%x, %x) : (f32, f32) -> f32
  %31 = llvm.intr.minimum(%x, %x) : (f32, f32) -> f32
  %32 = llvm.intr.minnum(%x, %x) : (f32, f32) -> f32
  %33 = llvm.intr.nearbyint(%x) : (f32) -> f32
  %34 = llvm.intr.pow(%x, %x) : (f32, f32) -> f32
  %35 = llvm.intr.powi(%x, %i) : (f32, i32) -> f32
  %36 = llvm.intr.rint(%x) : (f32) -> f32
  %37 = llvm.intr.round(%x) : (f32) -> f32
  %38 = llvm.intr.roundeven(%x) : (f32) -> f32
  %39 = llvm.intr.sadd.sat(%i, %i) : (i32, i32) -> i32
  %40 = llvm.intr.scmp(%i, %i) : (i32, i32) -> i2
  %41 = llvm.intr.sin(%x) : (f32) -> f32
  %42 = llvm.intr.sincos(%x) : (f32) -> !llvm.struct<(f32, f32)>
  %43 = llvm.intr.sinh(%x) : (f32) -> f32
  %44 = llvm.intr.smax(%i, %i) : (i32, i32) -> i32
  %45 = llvm.intr.smin(%i, %i) : (i32, i32) -> i32
  %46 = llvm.intr.sqrt(%x) : (f32) -> f32
  %47 = llvm.intr.sshl.sat(%i, %i) : (i32, i32) -> i32
  %48 = llvm.intr.ssub.sat(%i, %i) : (i32, i32) -> i32
  %49 = llvm.intr.tan(%x) : (f32) -> f32
  %50 = llvm.intr.tanh(%x) : (f32) -> f32
  %51 = llvm.intr.trunc(%x) : (f32) -> f32
  %52 = llvm.intr.uadd.sat(%i, %i) : (i32, i32) -> i32
  %53 = llvm.intr.ucmp(%i, %i) : (i32, i32) -> i2
  %54 = llvm.intr.umax(%i, %i) : (i32, i32) -> i32
  %55 = llvm.intr.umin(%i, %i) : (i32, i32) -> i32
  %56 = llvm.intr.ushl.sat(%i, %i) : (i32, i32) -> i32
  %57 = llvm.intr.usub.sat(%i, %i) : (i32, i32) -> i32
  %58 = llvm.intr.vector.reduce.fmax(%v) : (vector<4xf32>) -> f32
  %59 = llvm.intr.vector.reduce.fmaximum(%v) : (vector<4xf32>) -> f32
  %60 = llvm.intr.vector.reduce.fmin(%v) : (vector<4xf32>) -> f32
  %61 = llvm.intr.vector.reduce.fminimum(%v) : (vector<4xf32>) -> f32
  llvm.return
}
// -----
#file = #llvm.di_file<"file" in "folder">
#unit = #llvm.di_compile_unit<id = distinct[0]<>, sourceLanguage = DW_LANG_C, file = #file, isOptimized = false, emissionKind = None>
#function = #llvm.di_subprogram<compileUnit = #unit, scope = #file, name = "function", file = #file, subprogramFlags = Definition>
#variable = #llvm.di_local_variable<scope = #function, name = "variable">
#label = #llvm.di_label<scope = #function, name = "label", file = #file, line = 1>
#domain = #llvm.alias_scope_domain<id = distinct[1]<>>
#scope = #llvm.alias_scope<id = distinct[2]<>, domain = #domain>
llvm.func @markers(%a: i32, %b: i8, %c: i1, %n: i64, %x: f32, %p: !llvm.ptr, %t: !llvm.token, %v: vector<4xf32>, %m: vector<4xi1>, %q: vector<4x!llvm.ptr>) {
  llvm.intr.lifetime.start %p : !llvm.ptr
  llvm.intr.lifetime.end %p {test.note} : !llvm.ptr
  llvm.intr.trap
  llvm.intr.debugtrap {test.note}
  llvm.intr.ubsantrap <{failureKind = 1 : i8}>
  llvm.intr.assume %c : i1
  llvm.intr.assume %c ["align"(%p, %a : !llvm.ptr, i32)] : i1 {test.note}
  %0 = llvm.intr.expect %a, %a : i32
  %1 = llvm.intr.expect.with.probability %a, %a, 5.000000e-01 : i32
  %2 = llvm.intr.experimental.constrained.fptrunc %x tonearest ignore : f32 to f16
  %3 = llvm.intr.experimental.constrained.fpext %x strict : f32 to f64
  %4 = llvm.intr.experimental.constrained.sitofp %a towardzero maytrap : i32 to f32
  %5 = llvm.intr.experimental.constrained.uitofp %a upward strict {test.note} : i32 to f32
  %6 = llvm.intr.ssa.copy %a : i32
  %7 = llvm.intr.launder.invariant.group %p : !llvm.ptr
  %8 = llvm.intr.strip.invariant.group %p : !llvm.ptr
  %9 = llvm.intr.invariant.start 8, %p : !llvm.ptr
  llvm.intr.invariant.end %9, 8, %p {test.note} : !llvm.ptr
  %10 = llvm.intr.stacksave : !llvm.ptr
  llvm.intr.stackrestore %10 : !llvm.ptr
  llvm.intr.vastart %p : !llvm.ptr
  llvm.intr.vacopy %10 to %p : !llvm.ptr, !llvm.ptr
  llvm.intr.vaend %p : !llvm.ptr
  llvm.intr.dbg.declare #variable = %p : !llvm.ptr
  llvm.intr.dbg.value #variable #llvm.di_expression<[DW_OP_deref]> = %p : !llvm.ptr {test.note}
  llvm.intr.dbg.label #label
  llvm.intr.experimental.noalias.scope.decl #scope
  %11 = llvm.intr.get.active.lane.mask %a, %a : i32, i32 to vector<4xi1>
  %12 = llvm.intr.stepvector : vector<4xi32>
  %13 = llvm.intr.masked.load %p, %m, %v {alignment = 1 : i32} : (!llvm.ptr, vector<4xi1>, vector<4xf32>) -> vector<4xf32>
  %14 = llvm.intr.masked.gather %q, %m, %v {alignment = 1 : i32} : (vector<4x!llvm.ptr>, vector<4xi1>, vector<4xf32>) -> vector<4xf32>
  llvm.intr.masked.store %v, %p, %m {alignment = 1 : i32} : vector<4xf32>, vector<4xi1> into !llvm.ptr
  llvm.intr.masked.scatter %v, %q, %m {alignment = 1 : i32} : vector<4xf32>, vector<4xi1> into vector<4x!llvm.ptr>
  %15 = llvm.intr.matrix.column.major.load %p, <stride = %n> {columns = 2 : i32, isVolatile = false, rows = 2 : i32} : vector<4xf32> from !llvm.ptr stride i64
  llvm.intr.matrix.column.major.store %15, %p, <stride = %n> {columns = 2 : i32, isVolatile = false, rows = 2 : i32} : vector<4xf32> to !llvm.ptr stride i64
  %16 = llvm.intr.matrix.multiply %v, %v {lhs_columns = 2 : i32, lhs_rows = 2 : i32, rhs_columns = 2 : i32} : (vector<4xf32>, vector<4xf32>) -> vector<4xf32>
  %17 = llvm.intr.matrix.transpose %v {columns = 2 : i32, rows = 2 : i32} : vector<4xf32> into vector<4xf32>
  %18 = llvm.intr.vector.insert %v, %v[0] : vector<4xf32> into vector<4xf32>
  %19 = llvm.intr.vector.extract %v[0] : vector<4xf32> from vector<4xf32>
  %20 = llvm.intr.ptrmask %p, %n : (!llvm.ptr, i64) -> !llvm.ptr
  %21 = llvm.intr.eh.typeid.for %p : (!llvm.ptr) -> i32
  %22 = llvm.intr.coro.id %a, %p, %p, %p : (i32, !llvm.ptr, !llvm.ptr, !llvm.ptr) -> !llvm.token
  %23 = llvm.intr.coro.begin %22, %p : (!llvm.token, !llvm.ptr) -> !llvm.ptr
  %24 = llvm.intr.coro.size : i64
  %25 = llvm.intr.coro.align : i64
  %26 = llvm.intr.coro.save %23 : (!llvm.ptr) -> !llvm.token
  %27 = llvm.intr.coro.suspend %26, %c : i8
  %28 = llvm.intr.coro.end %23, %c, %t : (!llvm.ptr, i1, !llvm.token) -> i1
  %29 = llvm.intr.coro.free %22, %23 : (!llvm.token, !llvm.ptr) -> !llvm.ptr
  %30 = llvm.intr.coro.promise %23, %a, %c : (!llvm.ptr, i32, i1) -> !llvm.ptr
  llvm.intr.coro.resume %23 : !llvm.ptr
  llvm.return
}
