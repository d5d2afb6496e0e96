import { audit } from "./audit.ts";
import { nats } from "./broker.ts";
import { chat } from "./chat.ts";
import { core } from "./core.ts";
import { database } from "./database.ts";
import { dispatchCenter } from "./dispatchCenter.ts";
import { auth, postalsFile } from "./filesAndAuth.ts";
import { game, sync } from "./gameAndSync.ts";
import { http } from "./http.ts";
import { imageProxy } from "./imageProxy.ts";
import { oauth2 } from "./oauth2.ts";
import { storage } from "./storage.ts";
import { icons, otlp, updateCheck } from "./updatesIconsTracing.ts";
import type { Values } from "./option.ts";

/** Every option, in the nesting and order of the configuration document. */
export const schema = {
  ...core,
  http,
  database,
  nats,
  storage,
  imageProxy,
  audit,
  oauth2,
  postalsFile,
  auth,
  dispatchCenter,
  chat,
  game,
  sync,
  updateCheck,
  icons,
  otlp,
};

/** The parsed options, before values that depend on each other are resolved. */
export type ReadConfig = Values<typeof schema>;
