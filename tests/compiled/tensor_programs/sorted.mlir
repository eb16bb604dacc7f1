// Elements are swapped until they are in order, in nested loops with a condition, and counted as they are swapped.
// prints: [5] [1, 2, 3, 4, 5]
// prints: [5] [4, 1, 5, 3, 2]
// prints: [1] [6]

func.func private @printMemrefI32(tensor<*xi32>)

func.func @sort(%x: tensor<5xi32>) -> (tensor<5xi32>, tensor<1xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %one = arith.constant 1 : i32
  %zero = arith.constant dense<0> : tensor<1xi32>
  %r:2 = scf.for %i = %c0 to %c4 step %c1 iter_args(%a = %x, %n = %zero) -> (tensor<5xi32>, tensor<1xi32>) {
    %s:2 = scf.for %j = %c0 to %c4 step %c1 iter_args(%b = %a, %m = %n) -> (tensor<5xi32>, tensor<1xi32>) {
      %k = arith.addi %j, %c1 : index
      %left = tensor.extract %b[%j] : tensor<5xi32>
      %right = tensor.extract %b[%k] : tensor<5xi32>
      %wrong = arith.cmpi sgt, %left, %right : i32
      %t:2 = scf.if %wrong -> (tensor<5xi32>, tensor<1xi32>) {
        %c = tensor.insert %right into %b[%j] : tensor<5xi32>
        %d = tensor.insert %left into %c[%k] : tensor<5xi32>
        %old = tensor.extract %m[%c0] : tensor<1xi32>
        %new = arith.addi %old, %one : i32
        %counted = tensor.insert %new into %m[%c0] : tensor<1xi32>
        scf.yield %d, %counted : tensor<5xi32>, tensor<1xi32>
      } else {
        scf.yield %b, %m : tensor<5xi32>, tensor<1xi32>
      }
      scf.yield %t#0, %t#1 : tensor<5xi32>, tensor<1xi32>
    }
    scf.yield %s#0, %s#1 : tensor<5xi32>, tensor<1xi32>
  }
  return %r#0, %r#1 : tensor<5xi32>, tensor<1xi32>
}

func.func @main() {
  %x = arith.constant dense<[4, 1, 5, 3, 2]> : tensor<5xi32>
  %r:2 = call @sort(%x) : (tensor<5xi32>) -> (tensor<5xi32>, tensor<1xi32>)
  %shown = tensor.cast %r#0 : tensor<5xi32> to tensor<*xi32>
  %shown_x = tensor.cast %x : tensor<5xi32> to tensor<*xi32>
  %shown_n = tensor.cast %r#1 : tensor<1xi32> to tensor<*xi32>
  call @printMemrefI32(%shown) : (tensor<*xi32>) -> ()
  call @printMemrefI32(%shown_x) : (tensor<*xi32>) -> ()
  call @printMemrefI32(%shown_n) : (tensor<*xi32>) -> ()
  return
}
