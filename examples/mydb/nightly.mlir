func.func @nightly(%n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  scf.for %i = %zero to %n step %one {
    // The same table in each round.
    %orders = "mydb.open"() {table = @orders} : () -> !mydb.table  // slow
    "mydb.append"(%orders, %i) : (!mydb.table, index) -> ()
    "mydb.flush"(%orders) : (!mydb.table) -> ()
    "mydb.flush"(%orders) : (!mydb.table) -> ()
  }
  return
}
