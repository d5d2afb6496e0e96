import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { OutputOf } from "@rollcall/server/contract/core";
import { connect, disconnect, disconnectOf, listConnections, listConnectionsOf } from "@rollcall/server/contract/oauth";
import { queryOf } from "#core/queries.ts";
import { api } from "#core/services.ts";

export type Connection = OutputOf<typeof listConnections>["connections"][number];

export function useConnections() {
  return useQuery(queryOf(listConnections, {}));
}

/** Redirects to the provider when the server allows it. */
export function useConnect(name: string, back: string) {
  return useMutation({
    mutationFn: async (proof: { password?: string; code?: string }) =>
      await api.call(connect, { params: { name }, body: { return: back, ...proof } }),
    onSuccess: ({ location }) => window.location.assign(location),
  });
}

export function useDisconnect() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (name: string) => await api.call(disconnect, { params: { name } }),
    onSettled: async () => await queries.invalidateQueries({ queryKey: [listConnections.id] }),
  });
}

export function useConnectionsOf(accountId: number) {
  return useQuery(queryOf(listConnectionsOf, { params: { accountId } }));
}

export function useDisconnectOf(accountId: number) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (name: string) => await api.call(disconnectOf, { params: { accountId, name } }),
    onSettled: async () => await queries.invalidateQueries({ queryKey: [listConnectionsOf.id] }),
  });
}
