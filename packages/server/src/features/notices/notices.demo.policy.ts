import { type DemoGrant, demoGrant } from "#core/demo.ts";

/** Who puts up notices in the demo city, and for whom. */
export const noticesDemoGrants: readonly DemoGrant[] = [
  demoGrant("police", 5, "notices.create"),
  demoGrant("police", 6, "notices.create", ["public"]),
  demoGrant("ambulance", 3, "notices.create", ["jobs"]),
  demoGrant("justice", 3, "notices.create", ["public"]),
  demoGrant("mechanic", 2, "notices.create", ["jobs"]),
  demoGrant("taxi", 2, "notices.create"),
  demoGrant("press", 3, "notices.create", ["public"]),
  demoGrant("family", 3, "notices.create"),
];
