import type { QueryClient } from "@tanstack/react-query";

/**
 * Data that was read with other rights may be more than the viewer may see now. What is not on screen is discarded; what is,
 * stays until its new answer is there, so that an open form keeps its text and its focus, and goes when it is refused.
 */
export async function readWithNewRights(queries: QueryClient): Promise<void> {
  queries.removeQueries({ type: "inactive" });
  await queries.invalidateQueries({}, { cancelRefetch: true });
  const refused = queries.getQueryCache().findAll({ type: "active", predicate: ({ state }) => state.status === "error" });
  for (const query of refused) query.setState({ data: undefined });
}
