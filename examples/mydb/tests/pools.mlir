// expect-all: in_pool(%r, P) { "@cache", "@results" }
// expect-not: elsewhere(%r)
// expect: distinct(%r, %names)
// expect-not: distinct(%r, %known)
// expect-not: distinct(%r, %m)
func.func @f(%n: index, %m: memref<?xi64>) {
  %known = mydb.lookup "a" in @cache : memref<?xi64>
  %names = mydb.lookup "b" in @dictionary : memref<?xi64>
  %r = mydb.for_each_batch %batch: memref<4x?xi64> of @orders with (%sums = %known) -> (memref<?xi64>) {
    %next = mydb.alloc(%n) from @results : memref<?xi64>
    mydb.sort(%sums : memref<?xi64>) into %next : memref<?xi64>
    mydb.yield %next : memref<?xi64>
  }
  mydb.publish %r as "a" : memref<?xi64>
  return
}
