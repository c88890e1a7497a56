# Writes ${OUT}: the headers ${NAMES} (relative to ${ROOT}) as texts of one C++ file.
set(entries "")
foreach(name ${NAMES})
  file(READ ${ROOT}/${name} text)
  string(APPEND entries "    {\"${name}\", R\"quern_header(${text})quern_header\"},\n")
endforeach()
file(WRITE ${OUT}.next "#include \"jit/embedded_headers.hpp\"

namespace quern::jit {

const std::vector<EmbeddedHeader>& embedded_headers() {
  static const std::vector<EmbeddedHeader> headers = {
${entries}  };
  return headers;
}

}  // namespace quern::jit
")
file(COPY_FILE ${OUT}.next ${OUT} ONLY_IF_DIFFERENT)
