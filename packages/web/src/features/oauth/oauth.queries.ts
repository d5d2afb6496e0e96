import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { OutputOf } from "@rollcall/server/contract/core";
import { disconnect, listConnections } from "@rollcall/server/contract/oauth";
import { queryOf } from "#core/queries.ts";
import { api } from "#core/services.ts";

export type Connection = OutputOf<typeof listConnections>["connections"][number];

export function useConnections() {
  return useQuery(queryOf(listConnections, {}));
}

export function useDisconnect() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (name: string) => await api.call(disconnect, { params: { name } }),
    onSettled: async () => await queries.invalidateQueries({ queryKey: [listConnections.id] }),
  });
}
