import type { Procedure } from "#core/db/procedure.ts";
import { searchProcedure } from "#infra/search/find.ts";

/** What the threads of SQLite can run, by name. */
export const procedures: readonly Procedure<unknown, unknown>[] = [searchProcedure];
