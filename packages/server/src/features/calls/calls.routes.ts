import type { Viewer } from "#core/actor.ts";
import type { MessageOf, PayloadOf } from "#core/contract/index.ts";
import { bind, type Binding } from "#core/feature.ts";
import type { TopicBinding } from "#core/ports/index.ts";
import {
  answerHandOver,
  attachToCall,
  callsChanged,
  callsPermissions,
  callsTopic,
  cancelCall,
  checkCall,
  completeCall,
  createCall,
  createType,
  dismissStorm,
  editCall,
  getCall,
  getStorm,
  handOverCall,
  linkCalls,
  listCallable,
  listCalls,
  listOwnCalls,
  listPresent,
  listStormAlerts,
  listStorms,
  listTypes,
  mergeCalls,
  noteCall,
  openStorm,
  orderTypes,
  putRules,
  putType,
  removeType,
  reopenCall,
  restoreType,
  splitCall,
  syncCall,
  syncCloseCalls,
  undoMerge,
  unlinkCalls,
  withdrawHandOver,
} from "./calls.contract.ts";
import type { HandOverService } from "./calls.handover.service.ts";
import type { LinksService } from "./calls.links.service.ts";
import type { CallLists } from "./calls.list.service.ts";
import type { NewCalls } from "./calls.new.service.ts";
import type { MergeService } from "./calls.merge.service.ts";
import type { CallsService } from "./calls.service.ts";
import type { StormsService } from "./calls.storm.service.ts";
import type { TypesService } from "./calls.types.service.ts";

export interface CallsUseCases {
  readonly service: CallsService;
  readonly handover: HandOverService;
  readonly links: LinksService;
  readonly merges: MergeService;
  readonly created: NewCalls;
  readonly lists: CallLists;
  readonly storms: StormsService;
  readonly types: TypesService;
}

export function callsRoutes({ service, handover, links, merges, created, lists, storms, types }: CallsUseCases): Binding[] {
  return [
    bind(listPresent, async (call) => await lists.present(call.viewer())),
    bind(listCalls, async (call, { query }) => await lists.list(call.viewer(), query)),
    bind(listOwnCalls, async (call) => await lists.own(call.viewer())),
    bind(getCall, async (call, { params }) => await lists.get(call.viewer(), params.id)),
    bind(createCall, async (call, { body }) => await created.create(call, body)),
    bind(editCall, async (call, { params, body }) => await service.edit(call, params.id, body)),
    bind(noteCall, async (call, { params, body }) => await service.note(call, params.id, body)),
    bind(attachToCall, async (call, { params, body }) => await service.attach(call, params.id, body)),
    bind(checkCall, async (call, { params, body }) => await service.check(call, params.id, body)),
    bind(completeCall, async (call, { params, body }) => await service.complete(call, params.id, body)),
    bind(cancelCall, async (call, { params, body }) => await service.cancel(call, params.id, body)),
    bind(reopenCall, async (call, { params, body }) => await service.reopen(call, params.id, body)),
    bind(splitCall, async (call, { params, body }) => await links.split(call, params.id, body)),
    bind(linkCalls, async (call, { params, body }) => await links.link(call, params.id, body.otherId)),
    bind(unlinkCalls, async (call, { params }) => await links.unlink(call, params.id, params.otherId)),
    bind(handOverCall, async (call, { params, body }) => await handover.ask(call, params.id, body)),
    bind(answerHandOver, async (call, { params, body }) => await handover.answer(call, params.id, body)),
    bind(withdrawHandOver, async (call, { params, body }) => await handover.withdraw(call, params.id, body)),
    bind(mergeCalls, async (call, { params, body }) => await merges.merge(call, params.id, body)),
    bind(undoMerge, async (call, { params, body }) => await merges.undo(call, params.id, body)),
    bind(listStorms, async (call) => await storms.list(call.viewer())),
    bind(getStorm, async (call, { params }) => await storms.get(call.viewer(), params.id)),
    bind(listStormAlerts, async (call, { params, query }) => await storms.alerts(call.viewer(), params.id, query)),
    bind(openStorm, async (call, { params, body }) => await storms.open(call, params.id, body)),
    bind(dismissStorm, async (call, { params, body }) => await storms.dismiss(call, params.id, body.reason)),
    bind(listTypes, async (call) => await types.list(call.viewer())),
    bind(createType, async (call, { body }) => await types.create(call, body)),
    bind(putType, async (call, { params, body }) => await types.put(call, params.id, body)),
    bind(removeType, async (call, { params }) => await types.remove(call, params.id)),
    bind(restoreType, async (call, { params }) => await types.restore(call, params.id)),
    bind(orderTypes, async (call, { body }) => await types.order(call, body.ids)),
    bind(putRules, async (call, { body }) => await types.putRules(call, body)),
    bind(listCallable, async (call) => await created.callable(call.viewer())),
    bind(syncCall, async (call, { body }) => await created.sync(call, body)),
    bind(syncCloseCalls, async (call, { body }) => await created.close(call, body)),
  ];
}

type Changed = PayloadOf<typeof callsChanged>;

/** What a viewer learns of a change; null for nothing. */
function seenOf(
  { job, characterId, rights }: Viewer,
  { jobs, callers, setup, created }: Changed,
): MessageOf<typeof callsTopic> | null {
  const sees = jobs.includes(job) && rights.has(callsPermissions.view.id);
  const isCaller = callers.includes(characterId);
  const readsSetup = setup && (jobs.includes(job) || rights.has(callsPermissions.create.id));
  if (!sees && !isCaller && !readsSetup) return null;
  return { changed: true, created: sees && created !== undefined ? [created] : [] };
}

export function callsTopics(): TopicBinding[] {
  return [
    {
      topic: callsTopic,
      authorize: async (viewer) => ({
        class: `${viewer.characterId} ${viewer.rights.epoch}`,
        view: (data) => seenOf(viewer, data as Changed),
      }),
      project: ({ type, payload }) => (type === callsChanged.id ? [{ key: null, data: payload }] : []),
    },
  ];
}
