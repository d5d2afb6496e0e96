import { bind, type Binding } from "#core/feature.ts";
import type { TopicBinding } from "#core/ports/index.ts";
import { accessListTopic, type AccessLists } from "#features/accesslists/accesslists.api.ts";
import {
  createNotice,
  getNotice,
  listNotices,
  noticesChanged,
  noticesTopic,
  putNotice,
  removeNotice,
  restoreNotice,
} from "./notices.contract.ts";
import type { NoticeBoard } from "./notices.board.service.ts";
import type { NoticesService } from "./notices.service.ts";

export function noticesRoutes(board: NoticeBoard, service: NoticesService): Binding[] {
  return [
    bind(listNotices, async (call, { query }) => await board.list(call.viewer(), query)),
    bind(getNotice, async (call, { params }) => await board.get(call.viewer(), params.id)),
    bind(createNotice, async (call, { body }) => await service.create(call, body)),
    bind(putNotice, async (call, { params, body }) => await service.put(call, params.id, body)),
    bind(removeNotice, async (call, { params }) => await service.remove(call, params.id)),
    bind(restoreNotice, async (call, { params }) => await service.restore(call, params.id)),
  ];
}

export function noticesTopics(lists: AccessLists): TopicBinding[] {
  return [accessListTopic(noticesTopic, noticesChanged, lists)];
}
