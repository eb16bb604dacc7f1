wasmssa.import_func "print" from "host" as @print {type = (i32) -> ()}
wasmssa.import_global "base" from "host" as @base mutable : i32
wasmssa.import_mem "memory" from "host" as @imported {limits = !wasmssa<limit[1:]>}
wasmssa.import_table "table" from "host" as @functions {type = !wasmssa<tabletype !wasmssa.funcref [2:]>}
wasmssa.memory exported @own !wasmssa<limit[1:8]>
wasmssa.table @more !wasmssa<tabletype !wasmssa.externref [1:]>
wasmssa.global exported @count i32 mutable : {
  %0 = wasmssa.const 4 : i32
  wasmssa.return %0 : i32
}

wasmssa.func @numbers(%l: !wasmssa<local ref to i32>) -> i32 {
  %0 = wasmssa.local_get %l : ref to i32
  %1 = wasmssa.add %0 %0 : i32
  %2 = wasmssa.lt_si %0 %1 : i32 -> i32
  %3 = wasmssa.shl %1 by %2 bits : i32
  %4 = wasmssa.clz %3 : i32
  %5 = wasmssa.convert_s %4 : i32 to f32
  %6 = wasmssa.extend_i32_s %4 to i64
  %7 = wasmssa.extend 8 : i32 low bits from %4 : i32
  %8 = wasmssa.reinterpret %5 : f32 as i32
  %9 = wasmssa.eqz %8 : i32 -> i32
  %v = wasmssa.local of type i32
  wasmssa.local_set %v : ref to i32 to %9 : i32
  %10 = wasmssa.local_tee %v : ref to i32 to %7 : i32
  %11 = wasmssa.global_get @count : i32
  %12 = wasmssa.call @numbers(%11) : (i32) -> i32
  %13 = wasmssa.const 0
  wasmssa.return %12 : i32
}

wasmssa.func exported @blocks(%l: !wasmssa<local ref to i32>) -> i32 {
  %c = wasmssa.local_get %l : ref to i32
  wasmssa.if %c : {
    %0 = wasmssa.const 1 : i32
    wasmssa.block_return %0 : i32
  } else {
    %0 = wasmssa.const 2 : i32
    wasmssa.block_return %0 : i32
  }> ^bb1
^bb1(%x: i32):
  wasmssa.block(%x) : i32 : {
  ^bb0(%y: i32):
    wasmssa.branch_if %y to level 0 with args(%y : i32) else ^bb2
  ^bb2:
    wasmssa.block_return %y : i32
  }> ^bb2
^bb2(%z: i32):
  wasmssa.loop : {
    wasmssa.block_return
  }> ^bb3
^bb3:
  wasmssa.return %z : i32
}
