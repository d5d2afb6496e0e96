import { Type, type Static } from "typebox";
import { access, defineOperation, Instant, Nullable, OneOf } from "#core/contract/index.ts";
import { jobsPermissions } from "#features/jobs/jobs.contract.ts";

/** What a change of the first job is to one job. */
export const moveKinds = ["joined", "left", "promoted", "demoted"] as const;
export type MoveKind = (typeof moveKinds)[number];

export const Move = Type.Object({
  id: Type.Integer({ minimum: 1 }),
  at: Instant,
  kind: OneOf(moveKinds),
  citizen: Type.Object({ id: Type.Integer({ minimum: 1 }), name: Nullable(Type.String()) }),
  /** In the caller's job: the new one or, of somebody who left, the last one. */
  gradeLabel: Type.String(),
});
export type Move = Static<typeof Move>;

const count = Type.Integer({ minimum: 0 });

/** The newest ones of the caller's job; into which other job somebody went is not told. */
export const listMoves = defineOperation({
  id: "citizens.moves",
  method: "GET",
  path: "/api/citizens/moves",
  summary: "Who joined your job, left it, or got another grade in it",
  access: access.permission(jobsPermissions.properties, jobsPermissions.message),
  rate: "read",
  input: {
    query: Type.Object({ from: Instant, limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 50, default: 5 })) }),
  },
  output: Type.Object({
    counts: Type.Object({ joined: count, left: count, promoted: count, demoted: count }),
    items: Type.Array(Move),
  }),
  example: {
    query: { from: 1_790_000_000_000 },
    output: {
      counts: { joined: 1, left: 0, promoted: 0, demoted: 0 },
      items: [{ id: 3, at: 1_790_000_100_000, kind: "joined", citizen: { id: 12, name: "Mara Lind" }, gradeLabel: "Cadet" }],
    },
  },
});
