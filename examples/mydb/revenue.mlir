// Adds the orders that have come in to the revenue of each customer, and publishes the customers by revenue.
!rows = memref<4x?xi64>
!column = memref<?xi64, strided<[1], offset: ?>>

func.func @revenue(%n: index) {
  %codes = mydb.lookup "customers" in @dictionary : !column
  %old = mydb.lookup "revenue" in @results : !column
  %new = mydb.for_each_batch %batch: !rows of @orders with (%sums = %old) -> (!column) {
    %names = mydb.column 1 of %batch : !rows to !column
    %groups = mydb.alloc(%n) from @scratch : memref<?xi64>
    mydb.encode(%names, %codes : !column, !column) into %groups : memref<?xi64>
    %table = mydb.alloc(%n) from @results : !rows
    mydb.aggregate(%sums, %batch, %groups : !column, !rows, memref<?xi64>) into %table : !rows
    %next = mydb.column 0 of %table : !rows to !column
    mydb.yield %next : !column
  }
  mydb.release %old : !column
  mydb.release %codes : !column
  %sorted = mydb.alloc(%n) from @results : memref<?xi64>
  mydb.sort(%new : !column) into %sorted : memref<?xi64>
  mydb.publish %sorted as "by revenue" : memref<?xi64>
  return
}
