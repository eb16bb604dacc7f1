// What is published is given away where that is possible, and a clone of it is elsewhere.
// expect-all: moved_into(_, _, V) { %a }
// expect-all: clone_handed_over(_, V) { %b, %c }
func.func @f(%n: index) {
  %a = mydb.alloc(%n) from @results : memref<?xi64>
  %b = mydb.alloc(%n) from @results : memref<?xi64>
  %c = mydb.lookup "c" in @results : memref<?xi64>
  mydb.sort(%c : memref<?xi64>) into %a : memref<?xi64>
  mydb.publish %a as "a" : memref<?xi64>
  mydb.publish %b as "b" : memref<?xi64>
  mydb.publish %c as "d" : memref<?xi64>
  mydb.sort(%c : memref<?xi64>) into %b : memref<?xi64>
  return
}
