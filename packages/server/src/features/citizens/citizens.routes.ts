import type { Viewer } from "#core/actor.ts";
import { bind, type Binding } from "#core/feature.ts";
import type { PayloadOf } from "#core/contract/index.ts";
import type { TopicBinding, TopicGrant } from "#core/ports/index.ts";
import { gamerequestsDelivered } from "#features/gamerequests/gamerequests.contract.ts";
import {
  avatarChanged,
  avatarsTopic,
  avatarTopic,
  type CitizenChange,
  citizensChanged,
  citizensPermissions,
  citizensTopic,
  citizenTopic,
  getAvatar,
  getCitizen,
  getResync,
  listCitizens,
  listMoves,
  putAvatar,
  requestResync,
  resyncChanged,
  resyncRequest,
  resyncTopic,
} from "./citizens.contract.ts";
import type { AvatarsService } from "./citizens.avatar.service.ts";
import type { CitizensList } from "./citizens.list.service.ts";
import { cutToScope, type ViewScope, viewScopeClass } from "./citizens.policy.ts";
import type { MovesService } from "./citizens.moves.service.ts";
import type { ResyncService } from "./citizens.resync.service.ts";
import type { CitizensService } from "./citizens.service.ts";

export function citizensRoutes(service: CitizensService, list: CitizensList, avatars: AvatarsService): Binding[] {
  return [
    bind(listCitizens, async (call, { query }) => await list.page(call.viewer(), query)),
    bind(getAvatar, async (call) => await avatars.own(call.viewer())),
    bind(putAvatar, async (call, { body }) => await avatars.put(call, body.file)),
    bind(getCitizen, async (call, { params }) => await service.get(call, params.id)),
  ];
}

export function movesRoutes(moves: MovesService): Binding[] {
  return [bind(listMoves, async (call, { query }) => await moves.list(call.viewer(), query))];
}

export function resyncRoutes(resync: ResyncService): Binding[] {
  return [
    bind(getResync, async (_call, { params }) => await resync.status(params.id)),
    bind(requestResync, async (call, { params }) => await resync.request(call, params.id)),
  ];
}

interface Changes {
  readonly items: readonly CitizenChange[];
}

export function citizensTopics(service: CitizensService): TopicBinding[] {
  function grant(scope: ViewScope | null): TopicGrant | null {
    if (scope === null) return null;
    return {
      class: viewScopeClass(scope),
      view: (data) => ({ items: (data as Changes).items.map((item) => cutToScope(item, scope)) }),
    };
  }
  return [
    {
      topic: citizensTopic,
      authorize: async (viewer) => grant(viewer.rights.has(citizensPermissions.list.id) ? service.viewScopeOf(viewer) : null),
      project: ({ type, payload }) => (type === citizensChanged.id ? [{ key: null, data: payload }] : []),
    },
    {
      topic: citizenTopic,
      authorize: async (viewer, key) => grant(service.profileScopeOf(viewer, Number(key))),
      project({ type, payload }) {
        if (type !== citizensChanged.id) return [];
        return (payload as Changes).items.map((item) => ({ key: String(item.id), data: { items: [item] } }));
      },
    },
    ...avatarTopics(),
  ];
}

/** Every viewer gets the same: the id of the citizen whose picture the browser has to load again. */
function avatarTopics(): TopicBinding[] {
  const grant: TopicGrant = { class: "", view: (data) => data };
  const has = (viewer: Viewer, permission: { readonly id: string }) => viewer.rights.has(permission.id);
  return [
    {
      topic: avatarsTopic,
      authorize: async (viewer) => (has(viewer, citizensPermissions.list) ? grant : null),
      project: ({ type, payload }) => (type === avatarChanged.id ? [{ key: null, data: payload }] : []),
    },
    {
      topic: avatarTopic,
      authorize: async (viewer, key) =>
        key === String(viewer.characterId) || has(viewer, citizensPermissions.view) ? grant : null,
      project: ({ type, payload }) =>
        type === avatarChanged.id ? [{ key: String((payload as PayloadOf<typeof avatarChanged>).id), data: payload }] : [],
    },
  ];
}

/** Carries the id alone: what is shown is read again. */
export const resyncBinding: TopicBinding = {
  topic: resyncTopic,
  authorize: async (viewer) =>
    viewer.rights.has(citizensPermissions.resync.id) ? { class: "", view: (data: unknown) => data } : null,
  project({ type, payload }) {
    const id = resyncedBy(type, payload);
    return id === null ? [] : [{ key: String(id), data: { id } }];
  },
};

/** Whose resynchronisation an event has changed. */
function resyncedBy(type: string, payload: unknown): number | null {
  if (type === resyncChanged.id) return (payload as PayloadOf<typeof resyncChanged>).id;
  if (type !== gamerequestsDelivered.id) return null;
  const { kind, key } = payload as PayloadOf<typeof gamerequestsDelivered>;
  return kind === resyncRequest.id && key !== null ? Number(key) : null;
}
