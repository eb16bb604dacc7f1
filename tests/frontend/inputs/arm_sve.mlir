func.func @scalable(%b: vector<[16]xi8>, %c: vector<[4]xi32>, %f: vector<[4]xf32>, %h: vector<[8]xbf16>, %k: vector<[4]xi1>, %p: vector<[16]xi1>, %i: index) {
  %0 = arm_sve.sdot %c, %b, %b : vector<[16]xi8> to vector<[4]xi32>
  %1 = arm_sve.udot %c, %b, %b : vector<[16]xi8> to vector<[4]xi32>
  %2 = arm_sve.smmla %c, %b, %b : vector<[16]xi8> to vector<[4]xi32>
  %3 = arm_sve.ummla %c, %b, %b : vector<[16]xi8> to vector<[4]xi32>
  %4 = arm_sve.usmmla %c, %b, %b : vector<[16]xi8> to vector<[4]xi32>
  %5 = arm_sve.intr.bfmmla %f, %h, %h : vector<[8]xbf16> to vector<[4]xf32>
  %6 = arm_sve.masked.addi %k, %c, %c : vector<[4]xi1>, vector<[4]xi32>
  %7 = arm_sve.masked.subi %k, %c, %c : vector<[4]xi1>, vector<[4]xi32>
  %8 = arm_sve.masked.muli %k, %c, %c : vector<[4]xi1>, vector<[4]xi32>
  %9 = arm_sve.masked.divi_signed %k, %c, %c : vector<[4]xi1>, vector<[4]xi32>
  %10 = arm_sve.masked.divi_unsigned %k, %c, %c : vector<[4]xi1>, vector<[4]xi32>
  %11 = arm_sve.masked.addf %k, %f, %f : vector<[4]xi1>, vector<[4]xf32>
  %12 = arm_sve.masked.subf %k, %f, %f : vector<[4]xi1>, vector<[4]xf32>
  %13 = arm_sve.masked.mulf %k, %f, %f : vector<[4]xi1>, vector<[4]xf32>
  %14 = arm_sve.masked.divf %k, %f, %f : vector<[4]xi1>, vector<[4]xf32>
  %15 = arm_sve.convert_to_svbool %k : vector<[4]xi1>
  %16 = arm_sve.convert_from_svbool %15 : vector<[4]xi1>
  %17 = arm_sve.dupq_lane %c[2] : vector<[4]xi32>
  %18 = arm_sve.psel %k, %p[%i] : vector<[4]xi1>, vector<[16]xi1>
  %19, %20 = arm_sve.zip.x2 %c, %c : vector<[4]xi32>
  %21, %22, %23, %24 = arm_sve.zip.x4 %c, %c, %c, %c : vector<[4]xi32>
  return
}
