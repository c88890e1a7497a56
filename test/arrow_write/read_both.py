"""Reads an Arrow file and its Parquet twin with pyarrow and compares them: first argument Arrow, second Parquet."""
import sys

import pyarrow as pa
import pyarrow.ipc as ipc
import pyarrow.parquet as pq


def read_arrow(path):
    with open(path, 'rb') as file:
        start = file.read(6)
    return (ipc.open_file if start == b'ARROW1' else ipc.open_stream)(path).read_all()


found = read_arrow(sys.argv[1])
found.validate(full=True)
if len(sys.argv) > 2:
    wanted = pq.read_table(sys.argv[2])
    for name in wanted.column_names:
        # repr: NaN is not equal to itself, and -0.0 is to 0.0.
        if repr(found[name].to_pylist()) != repr(wanted[name].to_pylist()):
            print(name, found[name].type, wanted[name].type, 'differ')
print(', '.join(f'{field.name} {field.type}' for field in found.schema))
