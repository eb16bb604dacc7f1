// A heap that watches its users, for programs lowered to the LLVM dialect.
//
// Memory comes from one arena, is zero when handed out and is never handed out twice. A byte of state for every 16 bytes
// says whether they were never allocated (0), are live (1) or were freed (2); a gap lies behind every block. What is freed is
// overwritten, so that even an access which nobody checked changes what the program computes.
//
// Counters: 0 allocations, 1 frees, 2 freed twice, 3 freed without having been allocated, 4 reads after free,
// 5 writes after free, 6 accesses outside every block.

llvm.mlir.global internal @heap_arena() {addr_space = 0 : i32, alignment = 4096 : i64} : !llvm.array<33554432 x i8> {
  %0 = llvm.mlir.zero : !llvm.array<33554432 x i8>
  llvm.return %0 : !llvm.array<33554432 x i8>
}
llvm.mlir.global internal @heap_state() : !llvm.array<2097152 x i8> {
  %0 = llvm.mlir.zero : !llvm.array<2097152 x i8>
  llvm.return %0 : !llvm.array<2097152 x i8>
}
// The number of 16-byte slots of the block that starts at a slot; 0 where none starts.
llvm.mlir.global internal @heap_slots() : !llvm.array<2097152 x i64> {
  %0 = llvm.mlir.zero : !llvm.array<2097152 x i64>
  llvm.return %0 : !llvm.array<2097152 x i64>
}
llvm.mlir.global internal @heap_next(0 : i64) : i64
llvm.mlir.global internal @heap_counts() : !llvm.array<7 x i64> {
  %0 = llvm.mlir.zero : !llvm.array<7 x i64>
  llvm.return %0 : !llvm.array<7 x i64>
}
llvm.mlir.global internal constant @heap_format_begin("begin %ld\0A\00")
llvm.mlir.global internal constant @heap_format_counts("counts %ld %ld %ld %ld %ld %ld %ld\0A\00")
llvm.mlir.global internal constant @heap_format_integer("value %ld\0A\00")
llvm.mlir.global internal constant @heap_format_float("value %.9g\0A\00")
llvm.mlir.global internal constant @heap_format_died("died %d\0A\00")
llvm.mlir.global internal constant @heap_format_exhausted("exhausted\0A\00")

llvm.func @printf(!llvm.ptr, ...) -> i32
llvm.func @fflush(!llvm.ptr) -> i32
llvm.func @fork() -> i32
llvm.func @waitpid(i32, !llvm.ptr, i32) -> i32
llvm.func @alarm(i32) -> i32
llvm.func @_exit(i32)

llvm.func @heap_count(%which: i64) {
  %counts = llvm.mlir.addressof @heap_counts : !llvm.ptr
  %one = llvm.mlir.constant(1 : i64) : i64
  %p = llvm.getelementptr %counts[0, %which] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.array<7 x i64>
  %n = llvm.load %p : !llvm.ptr -> i64
  %m = llvm.add %n, %one : i64
  llvm.store %m, %p : i64, !llvm.ptr
  llvm.return
}

llvm.func @_mlir_memref_to_llvm_alloc(%size: i64) -> !llvm.ptr {
  %align = llvm.mlir.constant(16 : i64) : i64
  %p = llvm.call @_mlir_memref_to_llvm_aligned_alloc(%align, %size) : (i64, i64) -> !llvm.ptr
  llvm.return %p : !llvm.ptr
}

llvm.func @_mlir_memref_to_llvm_aligned_alloc(%align: i64, %size: i64) -> !llvm.ptr {
  %zero = llvm.mlir.constant(0 : i64) : i64
  %one = llvm.mlir.constant(1 : i64) : i64
  %four = llvm.mlir.constant(4 : i64) : i64
  %fifteen = llvm.mlir.constant(15 : i64) : i64
  %limit = llvm.mlir.constant(2097152 : i64) : i64
  %live = llvm.mlir.constant(1 : i8) : i8
  %arena = llvm.mlir.addressof @heap_arena : !llvm.ptr
  %state = llvm.mlir.addressof @heap_state : !llvm.ptr
  %slots = llvm.mlir.addressof @heap_slots : !llvm.ptr
  %next = llvm.mlir.addressof @heap_next : !llvm.ptr
  // Round the size up to slots, at least one, and the start up to the alignment.
  %s0 = llvm.add %size, %fifteen : i64
  %s1 = llvm.lshr %s0, %four : i64
  %n = llvm.intr.umax(%s1, %one) : (i64, i64) -> i64
  %a0 = llvm.lshr %align, %four : i64
  %a1 = llvm.intr.umax(%a0, %one) : (i64, i64) -> i64
  %a2 = llvm.sub %a1, %one : i64
  %at0 = llvm.load %next : !llvm.ptr -> i64
  %at1 = llvm.add %at0, %a2 : i64
  %at2 = llvm.udiv %at1, %a1 : i64
  %at = llvm.mul %at2, %a1 : i64
  %end = llvm.add %at, %n : i64
  %too_far = llvm.icmp "uge" %end, %limit : i64
  llvm.cond_br %too_far, ^exhausted, ^found
^exhausted:
  %format = llvm.mlir.addressof @heap_format_exhausted : !llvm.ptr
  %ignored = llvm.call @printf(%format) vararg(!llvm.func<i32 (ptr, ...)>) : (!llvm.ptr) -> i32
  %null = llvm.mlir.zero : !llvm.ptr
  %flushed = llvm.call @fflush(%null) : (!llvm.ptr) -> i32
  %failure = llvm.mlir.constant(3 : i32) : i32
  llvm.call @_exit(%failure) : (i32) -> ()
  llvm.unreachable
^found:
  %gap = llvm.add %end, %one : i64
  llvm.store %gap, %next : i64, !llvm.ptr
  %block = llvm.getelementptr %slots[0, %at] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.array<2097152 x i64>
  llvm.store %n, %block : i64, !llvm.ptr
  %first = llvm.getelementptr %state[0, %at] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.array<2097152 x i8>
  "llvm.intr.memset"(%first, %live, %n) <{isVolatile = false}> : (!llvm.ptr, i8, i64) -> ()
  llvm.call @heap_count(%zero) : (i64) -> ()
  %offset = llvm.shl %at, %four : i64
  %p = llvm.getelementptr %arena[%offset] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  llvm.return %p : !llvm.ptr
}

llvm.func @_mlir_memref_to_llvm_aligned_free(%p: !llvm.ptr) {
  llvm.call @_mlir_memref_to_llvm_free(%p) : (!llvm.ptr) -> ()
  llvm.return
}

llvm.func @_mlir_memref_to_llvm_free(%p: !llvm.ptr) {
  %zero = llvm.mlir.constant(0 : i64) : i64
  %one = llvm.mlir.constant(1 : i64) : i64
  %two = llvm.mlir.constant(2 : i64) : i64
  %three = llvm.mlir.constant(3 : i64) : i64
  %four = llvm.mlir.constant(4 : i64) : i64
  %fifteen = llvm.mlir.constant(15 : i64) : i64
  %bytes = llvm.mlir.constant(33554432 : i64) : i64
  %freed = llvm.mlir.constant(2 : i8) : i8
  %poison = llvm.mlir.constant(-37 : i8) : i8
  %arena = llvm.mlir.addressof @heap_arena : !llvm.ptr
  %state = llvm.mlir.addressof @heap_state : !llvm.ptr
  %slots = llvm.mlir.addressof @heap_slots : !llvm.ptr
  %address = llvm.ptrtoint %p : !llvm.ptr to i64
  %base = llvm.ptrtoint %arena : !llvm.ptr to i64
  %offset = llvm.sub %address, %base : i64
  %inside = llvm.icmp "ult" %offset, %bytes : i64
  %rest = llvm.and %offset, %fifteen : i64
  %aligned = llvm.icmp "eq" %rest, %zero : i64
  %possible = llvm.and %inside, %aligned : i1
  llvm.cond_br %possible, ^look, ^invalid
^look:
  %at = llvm.lshr %offset, %four : i64
  %block = llvm.getelementptr %slots[0, %at] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.array<2097152 x i64>
  %n = llvm.load %block : !llvm.ptr -> i64
  %starts = llvm.icmp "ne" %n, %zero : i64
  llvm.cond_br %starts, ^block, ^invalid
^block:
  %first = llvm.getelementptr %state[0, %at] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.array<2097152 x i8>
  %was = llvm.load %first : !llvm.ptr -> i8
  %twice = llvm.icmp "eq" %was, %freed : i8
  llvm.cond_br %twice, ^double, ^free
^free:
  "llvm.intr.memset"(%first, %freed, %n) <{isVolatile = false}> : (!llvm.ptr, i8, i64) -> ()
  %size = llvm.shl %n, %four : i64
  "llvm.intr.memset"(%p, %poison, %size) <{isVolatile = false}> : (!llvm.ptr, i8, i64) -> ()
  llvm.call @heap_count(%one) : (i64) -> ()
  llvm.return
^double:
  llvm.call @heap_count(%two) : (i64) -> ()
  llvm.return
^invalid:
  llvm.call @heap_count(%three) : (i64) -> ()
  llvm.return
}

// Counts an access to memory that is freed or was never allocated; memory outside the arena is not ours to judge.
llvm.func @heap_check(%p: !llvm.ptr, %after_free: i64) {
  %four = llvm.mlir.constant(4 : i64) : i64
  %six = llvm.mlir.constant(6 : i64) : i64
  %bytes = llvm.mlir.constant(33554432 : i64) : i64
  %live = llvm.mlir.constant(1 : i8) : i8
  %freed = llvm.mlir.constant(2 : i8) : i8
  %arena = llvm.mlir.addressof @heap_arena : !llvm.ptr
  %state = llvm.mlir.addressof @heap_state : !llvm.ptr
  %address = llvm.ptrtoint %p : !llvm.ptr to i64
  %base = llvm.ptrtoint %arena : !llvm.ptr to i64
  %offset = llvm.sub %address, %base : i64
  %inside = llvm.icmp "ult" %offset, %bytes : i64
  llvm.cond_br %inside, ^look, ^fine
^look:
  %at = llvm.lshr %offset, %four : i64
  %slot = llvm.getelementptr %state[0, %at] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.array<2097152 x i8>
  %is = llvm.load %slot : !llvm.ptr -> i8
  %ok = llvm.icmp "eq" %is, %live : i8
  llvm.cond_br %ok, ^fine, ^fault
^fault:
  %late = llvm.icmp "eq" %is, %freed : i8
  %which = llvm.select %late, %after_free, %six : i1, i64
  llvm.call @heap_count(%which) : (i64) -> ()
  llvm.return
^fine:
  llvm.return
}

llvm.func @heap_read(%p: !llvm.ptr) {
  %four = llvm.mlir.constant(4 : i64) : i64
  llvm.call @heap_check(%p, %four) : (!llvm.ptr, i64) -> ()
  llvm.return
}

llvm.func @heap_write(%p: !llvm.ptr) {
  %five = llvm.mlir.constant(5 : i64) : i64
  llvm.call @heap_check(%p, %five) : (!llvm.ptr, i64) -> ()
  llvm.return
}

// Both ends of a contiguous copy; nothing is accessed when it is empty.
llvm.func @heap_copy(%to: !llvm.ptr, %from: !llvm.ptr, %size: i64) {
  %zero = llvm.mlir.constant(0 : i64) : i64
  %one = llvm.mlir.constant(1 : i64) : i64
  %empty = llvm.icmp "eq" %size, %zero : i64
  llvm.cond_br %empty, ^end, ^check
^check:
  %last = llvm.sub %size, %one : i64
  %from_end = llvm.getelementptr %from[%last] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %to_end = llvm.getelementptr %to[%last] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  llvm.call @heap_read(%from) : (!llvm.ptr) -> ()
  llvm.call @heap_read(%from_end) : (!llvm.ptr) -> ()
  llvm.call @heap_write(%to) : (!llvm.ptr) -> ()
  llvm.call @heap_write(%to_end) : (!llvm.ptr) -> ()
  llvm.br ^end
^end:
  llvm.return
}

// What memref.copy calls for strided buffers: copies element by element, by recursion over the dimensions. A buffer's
// descriptor is {allocated, aligned, offset, sizes..., strides...}, that is, words 0, 1, 2, 3+d, 3+rank+d.
llvm.func @memrefCopy(%size: i64, %from: !llvm.ptr, %to: !llvm.ptr) {
  %zero = llvm.mlir.constant(0 : i64) : i64
  %rank = llvm.load %from : !llvm.ptr -> i64
  %f0 = llvm.getelementptr %from[8] : (!llvm.ptr) -> !llvm.ptr, i8
  %t0 = llvm.getelementptr %to[8] : (!llvm.ptr) -> !llvm.ptr, i8
  %f1 = llvm.load %f0 : !llvm.ptr -> !llvm.ptr
  %t1 = llvm.load %t0 : !llvm.ptr -> !llvm.ptr
  %f2 = llvm.getelementptr %f1[2] : (!llvm.ptr) -> !llvm.ptr, i64
  %t2 = llvm.getelementptr %t1[2] : (!llvm.ptr) -> !llvm.ptr, i64
  %f3 = llvm.load %f2 : !llvm.ptr -> i64
  %t3 = llvm.load %t2 : !llvm.ptr -> i64
  llvm.call @heap_copy_dimension(%size, %f1, %t1, %rank, %zero, %f3, %t3)
    : (i64, !llvm.ptr, !llvm.ptr, i64, i64, i64, i64) -> ()
  llvm.return
}

llvm.func @heap_copy_dimension(%size: i64, %from: !llvm.ptr, %to: !llvm.ptr, %rank: i64, %d: i64, %f: i64, %t: i64) {
  %zero = llvm.mlir.constant(0 : i64) : i64
  %one = llvm.mlir.constant(1 : i64) : i64
  %three = llvm.mlir.constant(3 : i64) : i64
  %leaf = llvm.icmp "eq" %d, %rank : i64
  llvm.cond_br %leaf, ^element, ^dimension
^element:
  %fa = llvm.getelementptr %from[1] : (!llvm.ptr) -> !llvm.ptr, i64
  %ta = llvm.getelementptr %to[1] : (!llvm.ptr) -> !llvm.ptr, i64
  %fb = llvm.load %fa : !llvm.ptr -> !llvm.ptr
  %tb = llvm.load %ta : !llvm.ptr -> !llvm.ptr
  %fo = llvm.mul %f, %size : i64
  %to0 = llvm.mul %t, %size : i64
  %fp = llvm.getelementptr %fb[%fo] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %tp = llvm.getelementptr %tb[%to0] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  llvm.call @heap_copy(%tp, %fp, %size) : (!llvm.ptr, !llvm.ptr, i64) -> ()
  "llvm.intr.memmove"(%tp, %fp, %size) <{isVolatile = false}> : (!llvm.ptr, !llvm.ptr, i64) -> ()
  llvm.return
^dimension:
  %size_at = llvm.add %three, %d : i64
  %stride_at = llvm.add %size_at, %rank : i64
  %np = llvm.getelementptr %from[%size_at] : (!llvm.ptr, i64) -> !llvm.ptr, i64
  %n = llvm.load %np : !llvm.ptr -> i64
  %fsp = llvm.getelementptr %from[%stride_at] : (!llvm.ptr, i64) -> !llvm.ptr, i64
  %tsp = llvm.getelementptr %to[%stride_at] : (!llvm.ptr, i64) -> !llvm.ptr, i64
  %fs = llvm.load %fsp : !llvm.ptr -> i64
  %ts = llvm.load %tsp : !llvm.ptr -> i64
  %inner = llvm.add %d, %one : i64
  llvm.br ^head(%zero, %f, %t : i64, i64, i64)
^head(%i: i64, %fi: i64, %ti: i64):
  %more = llvm.icmp "slt" %i, %n : i64
  llvm.cond_br %more, ^body, ^end
^body:
  llvm.call @heap_copy_dimension(%size, %from, %to, %rank, %inner, %fi, %ti)
    : (i64, !llvm.ptr, !llvm.ptr, i64, i64, i64, i64) -> ()
  %j = llvm.add %i, %one : i64
  %fj = llvm.add %fi, %fs : i64
  %tj = llvm.add %ti, %ts : i64
  llvm.br ^head(%j, %fj, %tj : i64, i64, i64)
^end:
  llvm.return
}

llvm.func @heap_print_integer(%v: i64) {
  %format = llvm.mlir.addressof @heap_format_integer : !llvm.ptr
  %0 = llvm.call @printf(%format, %v) vararg(!llvm.func<i32 (ptr, ...)>) : (!llvm.ptr, i64) -> i32
  llvm.return
}

llvm.func @heap_print_float(%v: f64) {
  %format = llvm.mlir.addressof @heap_format_float : !llvm.ptr
  %0 = llvm.call @printf(%format, %v) vararg(!llvm.func<i32 (ptr, ...)>) : (!llvm.ptr, f64) -> i32
  llvm.return
}

// Runs one function in a process of its own, with fresh memory and a time limit, and reports what it did to the heap.
llvm.func @heap_run(%number: i64, %function: !llvm.ptr) {
  %null = llvm.mlir.zero : !llvm.ptr
  %i0 = llvm.mlir.constant(0 : i32) : i32
  %i1 = llvm.mlir.constant(1 : i32) : i32
  %seconds = llvm.mlir.constant(10 : i32) : i32
  %begin = llvm.mlir.addressof @heap_format_begin : !llvm.ptr
  %0 = llvm.call @printf(%begin, %number) vararg(!llvm.func<i32 (ptr, ...)>) : (!llvm.ptr, i64) -> i32
  %1 = llvm.call @fflush(%null) : (!llvm.ptr) -> i32
  %pid = llvm.call @fork() : () -> i32
  %child = llvm.icmp "eq" %pid, %i0 : i32
  llvm.cond_br %child, ^run, ^wait
^run:
  %2 = llvm.call @alarm(%seconds) : (i32) -> i32
  llvm.call %function() : !llvm.ptr, () -> ()
  %counts = llvm.mlir.addressof @heap_counts : !llvm.ptr
  %p1 = llvm.getelementptr %counts[0, 1] : (!llvm.ptr) -> !llvm.ptr, !llvm.array<7 x i64>
  %p2 = llvm.getelementptr %counts[0, 2] : (!llvm.ptr) -> !llvm.ptr, !llvm.array<7 x i64>
  %p3 = llvm.getelementptr %counts[0, 3] : (!llvm.ptr) -> !llvm.ptr, !llvm.array<7 x i64>
  %p4 = llvm.getelementptr %counts[0, 4] : (!llvm.ptr) -> !llvm.ptr, !llvm.array<7 x i64>
  %p5 = llvm.getelementptr %counts[0, 5] : (!llvm.ptr) -> !llvm.ptr, !llvm.array<7 x i64>
  %p6 = llvm.getelementptr %counts[0, 6] : (!llvm.ptr) -> !llvm.ptr, !llvm.array<7 x i64>
  %c0 = llvm.load %counts : !llvm.ptr -> i64
  %c1 = llvm.load %p1 : !llvm.ptr -> i64
  %c2 = llvm.load %p2 : !llvm.ptr -> i64
  %c3 = llvm.load %p3 : !llvm.ptr -> i64
  %c4 = llvm.load %p4 : !llvm.ptr -> i64
  %c5 = llvm.load %p5 : !llvm.ptr -> i64
  %c6 = llvm.load %p6 : !llvm.ptr -> i64
  %format = llvm.mlir.addressof @heap_format_counts : !llvm.ptr
  %3 = llvm.call @printf(%format, %c0, %c1, %c2, %c3, %c4, %c5, %c6) vararg(!llvm.func<i32 (ptr, ...)>)
    : (!llvm.ptr, i64, i64, i64, i64, i64, i64, i64) -> i32
  %4 = llvm.call @fflush(%null) : (!llvm.ptr) -> i32
  llvm.call @_exit(%i0) : (i32) -> ()
  llvm.unreachable
^wait:
  %status = llvm.alloca %i1 x i32 : (i32) -> !llvm.ptr
  %5 = llvm.call @waitpid(%pid, %status, %i0) : (i32, !llvm.ptr, i32) -> i32
  %s = llvm.load %status : !llvm.ptr -> i32
  %well = llvm.icmp "eq" %s, %i0 : i32
  llvm.cond_br %well, ^end, ^died
^died:
  %died = llvm.mlir.addressof @heap_format_died : !llvm.ptr
  %6 = llvm.call @printf(%died, %s) vararg(!llvm.func<i32 (ptr, ...)>) : (!llvm.ptr, i32) -> i32
  llvm.br ^end
^end:
  llvm.return
}
