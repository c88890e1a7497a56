// Shortest text of floating point numbers. Host only: it needs the standard library's conversion tables.
#pragma once

namespace quern {

// Shortest text that reads back as the same number, with `.0` or an exponent: 1e-05, 1e+16, 123456790.0, nan, inf,
// -0.0. Writes at most 32 bytes, returns how many.
int write_real(double v, char* out);
int write_real(float v, char* out);

}  // namespace quern
