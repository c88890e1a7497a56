import { STRING, TIMESTAMP, TIMESTAMPTZ } from '../../common/data_type.ts';
import { userError } from '../../common/error.ts';
import type { SourceSpan } from '../../common/source_span.ts';
import type { FunctionCall } from '../../sql/ast.ts';
import type { BoundExpr } from '../logical/expression.ts';
import { bindArguments, buildCall } from './call.ts';
import { castTo } from './cast.ts';
import type { ExpressionContext } from './expression_context.ts';

/** `x AT TIME ZONE zone` turns an instant into a clock time of the zone, and a clock time into an instant. */
export function atTimeZone(node: FunctionCall, context: ExpressionContext): BoundExpr {
  const [zone, value, extra] = bindArguments(node, context);
  if (zone === undefined || value === undefined || extra !== undefined) {
    throw userError(
      'binder',
      'timezone takes a zone and a timestamp',
      node.span,
      "e.g. t AT TIME ZONE 'Europe/Berlin'",
    );
  }
  const instant = value.type.kind === 'timestamp' && value.type.zone;
  if (zone.kind === 'literal' && typeof zone.value === 'string' && /^(utc|etc\/utc|gmt)$/i.test(zone.value)) {
    return castTo(value, instant ? TIMESTAMP : TIMESTAMPTZ, node.span);
  }
  return instant ? localOf(zone, value, node.span) : instantOf(zone, value, node.span);
}

function instantOf(zone: BoundExpr, local: BoundExpr, span: SourceSpan): BoundExpr {
  const args = [castTo(zone, STRING), castTo(local, TIMESTAMP, span)];
  return { kind: 'call', fn: 'local_to_instant', args, type: TIMESTAMPTZ, fallible: true, span };
}

function localOf(zone: BoundExpr, instant: BoundExpr, span: SourceSpan): BoundExpr {
  const args = [castTo(zone, STRING), castTo(instant, TIMESTAMPTZ, span)];
  return { kind: 'call', fn: 'instant_to_local', args, type: TIMESTAMP, fallible: true, span };
}

/** make_timestamptz(year, month, day, hour, minute, seconds[, zone]), or of microseconds since 1970-01-01. */
export function instantOfParts(node: FunctionCall, context: ExpressionContext): BoundExpr {
  const args = bindArguments(node, context);
  const zone = args[6];
  const local = buildCall('make_timestamp', args.slice(0, 6), node.span);
  if (args.length > 7) throw userError('binder', 'make_timestamptz takes 1, 6 or 7 arguments', node.span);
  return zone === undefined ? castTo(local, TIMESTAMPTZ, node.span) : instantOf(zone, local, node.span);
}
