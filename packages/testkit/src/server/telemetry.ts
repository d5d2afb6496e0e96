export {
  receiveGrpc,
  receiveHttp,
  receiveNothing,
  type ReceivedSpan,
  type Receiver,
} from "../../../server/src/infra/telemetry/receiver.testkit.ts";
