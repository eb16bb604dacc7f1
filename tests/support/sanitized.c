/* What programs compiled under AddressSanitizer need around them. CALLS lists the functions, as X(name) each. */

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void heap_print_integer(int64_t v) { printf("value %ld\n", (long)v); }
void heap_print_float(double v) { printf("value %.9g\n", v); }

typedef struct {
  char *allocated, *aligned;
  int64_t offset, sizes_and_strides[];
} Descriptor;

typedef struct {
  int64_t rank;
  Descriptor *descriptor;
} Unranked;

static void copy(int64_t size, int64_t rank, int64_t at, Descriptor *from, int64_t f, Descriptor *to, int64_t t) {
  if (at == rank) {
    memmove(to->aligned + t * size, from->aligned + f * size, size);
    return;
  }
  for (int64_t i = 0; i < from->sizes_and_strides[at]; ++i)
    copy(size, rank, at + 1, from, f + i * from->sizes_and_strides[rank + at], to,
         t + i * to->sizes_and_strides[rank + at]);
}

/* What memref.copy calls for strided buffers. */
void memrefCopy(int64_t size, Unranked *from, Unranked *to) {
  copy(size, from->rank, 0, from->descriptor, from->descriptor->offset, to->descriptor, to->descriptor->offset);
}

#define X(name) void name(void);
CALLS
#undef X
#define X(name) name,
static void (*const calls[])(void) = {CALLS};

/* Overwrites what a call left on the stack: LeakSanitizer, which runs there next, takes a pointer that it comes
   upon for one that is still in use. */
__attribute__((noinline, no_sanitize("address"))) static void clear_stack(void) {
  volatile char below[1 << 16];
  for (unsigned i = 0; i < sizeof below; ++i)
    below[i] = 0;
}

int main(int argc, char **argv) {
  if (argc != 2)
    return 2;
  calls[atoi(argv[1])]();
  clear_stack();
  return 0;
}
