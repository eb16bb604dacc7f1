// As revenue.mlir, but the orders may be those of new customers: unless it is closed, the dictionary grows, too.
!rows = memref<4x?xi64>
!column = memref<?xi64, strided<[1], offset: ?>>

func.func @revenue(%n: index, %closed: i1) {
  %known = mydb.lookup "customers" in @dictionary : !column
  %old = mydb.lookup "revenue" in @results : !column
  %new, %all = mydb.for_each_batch %batch: !rows of @orders
      with (%sums = %old, %codes = %known) -> (!column, !column) {
    %names = mydb.column 1 of %batch : !rows to !column
    %entries = mydb.alloc(%n) from @dictionary : !rows
    mydb.encode(%names, %codes : !column, !column) into %entries : !rows
    %more = mydb.column 0 of %entries : !rows to !column
    %table = mydb.alloc(%n) from @results : !rows
    mydb.aggregate(%sums, %batch, %more : !column, !rows, !column) into %table : !rows
    %next = mydb.column 0 of %table : !rows to !column
    %kept = arith.select %closed, %codes, %more : !column
    mydb.yield %next, %kept : !column, !column
  }
  mydb.publish %new as "revenue" : !column
  mydb.publish %all as "customers" : !column
  return
}
