import type { Schema } from '../../common/batch.ts';
import { INT64 } from '../../common/data_type.ts';
import { unsupported } from '../../common/error.ts';
import type { PhysicalNode } from '../../operators/index.ts';
import type { ParquetWrite } from '../../operators/write_parquet.ts';
import type { PhysicalOptions } from './index.ts';

/** The one column of a writing statement. */
export const WRITE_SCHEMA: Schema = [{ name: 'Count', type: INT64 }];

/** A plan that writes the rows of `input` instead of giving them. */
export function planWrite(input: PhysicalNode, write: ParquetWrite, options: PhysicalOptions): PhysicalNode {
  if (!options.capabilities.operators.includes('write_parquet')) {
    throw unsupported('operator write_parquet in this build');
  }
  const keys = write.partitionBy.length;
  return {
    kind: 'write_parquet',
    ...write,
    // As the columns are called, whatever case the statement has them in.
    partitionBy: keys === 0 ? [] : input.output.slice(-keys).map((field) => field.name),
    inputs: [{ ...input, output: distinctNames(input.output) }],
    output: WRITE_SCHEMA,
    device: 'cpu',
    instances: 1,
    estimatedRows: 1,
    reason: null,
  };
}

/** Columns of a file have names of their own, whatever their case: a, a, A become a, a_1, A_2 as in DuckDB. */
function distinctNames(schema: Schema): Schema {
  const taken = new Set<string>();
  return schema.map((field) => {
    let name = field.name;
    for (let i = 1; taken.has(name.toLowerCase()); i++) name = `${field.name}_${i}`;
    taken.add(name.toLowerCase());
    return { ...field, name };
  });
}
