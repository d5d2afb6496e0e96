import { useQuery } from "@tanstack/react-query";
import type { OutputOf } from "@rollcall/server/contract/core";
import {
  avatarsTopic,
  avatarTopic,
  citizensOrders,
  citizensTopic,
  citizenTopic,
  citizensPermissions,
  getCitizen,
  getResync,
  listCitizens,
  requestResync,
  resyncTopic,
} from "@rollcall/server/contract/citizens";
import { useAbilities } from "#core/abilities.ts";
import { queryOf } from "#core/queries.ts";
import { useFollow, useLiveAnswer, useLiveList } from "#core/realtime/lists.ts";
import { filtersOf } from "#core/search.ts";
import { api } from "#core/services.ts";
import { byNumber, byText, comparedBy, type Comparisons, mayMatch } from "#core/order.ts";
import type { CitizensSearch } from "./citizens.search.ts";

export type Citizen = OutputOf<typeof getCitizen>;
export type Resync = OutputOf<typeof getResync>;
export type CitizenRow = OutputOf<typeof listCitizens>["items"][number];

/** What the server orders by, where the rows hold it in full: the value of a missing one is the server's. */
const compares: Comparisons<CitizenRow> = {
  name: byText(({ firstName, lastName }) => `${lastName} ${firstName}`),
  updatedAt: byNumber(({ updatedAt }) => updatedAt),
};

/** The server puts the best matches first. */
export const isRanked = ({ q, phone, plate }: CitizensSearch) => q !== undefined || phone !== undefined || plate !== undefined;

/** The filtered list, page by page, with live changes. */
export function useCitizens(search: CitizensSearch) {
  const { q, dateOfBirth, job, order } = search;
  const ranked = isRanked(search);
  const list = useLiveList<CitizenRow>({
    operation: listCitizens,
    topic: citizensTopic,
    filters: filtersOf(search),
    ...comparedBy(compares, ranked ? undefined : (order ?? citizensOrders.default)),
    ...(ranked || dateOfBirth !== undefined || job !== undefined
      ? {
          matches(row) {
            if (job !== undefined && row.job?.name !== job) return false;
            if (dateOfBirth !== undefined && row.dateOfBirth !== dateOfBirth) return false;
            if (q !== undefined && !mayMatch(q, [`${row.firstName} ${row.lastName}`, row.phoneNumber])) return false;
            return ranked ? null : true;
          },
        }
      : {}),
  });
  useFollow(avatarsTopic);
  return list;
}

/** One citizen with live changes; `deleted` once the game has removed it. */
export function useCitizen(id: number) {
  const enabled = useAbilities().has(citizensPermissions.view);
  const {
    query,
    data: citizen,
    deleted,
  } = useLiveAnswer(getCitizen, { params: { id } }, { topic: citizenTopic, key: id, enabled });
  useFollow(enabled ? avatarTopic : null, id);
  return { query, citizen, deleted };
}

/** A game server that stops or starts sends no event. Milliseconds. */
const CONNECTION_CHECK = 20_000;

/** How the last resynchronisation stands, with live changes; of nobody while `id` is null. */
export function useResync(id: number | null) {
  const query = useQuery({
    ...queryOf(getResync, { params: { id: id ?? 0 } }),
    enabled: id !== null,
    refetchInterval: CONNECTION_CHECK,
  });
  useFollow(id === null ? null : resyncTopic, id ?? 0);
  return query;
}

export async function requestResyncOf(id: number): Promise<Resync> {
  return await api.call(requestResync, { params: { id } });
}
