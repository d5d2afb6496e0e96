import type { InputOf, OperationDefinition, OutputOf } from "@rollcall/server/contract/core";
import { asProblem, Problem, problemOf } from "#core/problem.ts";
import { withText } from "#core/problem.texts.ts";
import { session } from "#core/services.ts";
import { urlOf } from "#core/transport.ts";

export interface UploadOptions {
  /** Reports the progress, 0 to 1. */
  readonly onProgress: (part: number) => void;
  readonly signal: AbortSignal;
}

const ATTEMPTS = 2;

/** Only XMLHttpRequest reports how much of a body was sent. */
function send(url: string, token: string, file: Blob, { onProgress, signal }: UploadOptions): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const abort = () => request.abort();
    const end = () => signal.removeEventListener("abort", abort);
    signal.addEventListener("abort", abort);
    request.open("POST", url);
    request.setRequestHeader("x-rollcall", "1");
    request.setRequestHeader("authorization", `Bearer ${token}`);
    request.setRequestHeader("content-type", "application/octet-stream");
    request.upload.onprogress = ({ loaded, total }) => onProgress(total === 0 ? 0 : loaded / total);
    request.onload = () => {
      end();
      let body: unknown = null;
      try {
        body = JSON.parse(request.responseText) as unknown;
      } catch {
        // A proxy in between may answer with something else than JSON.
      }
      if (request.status === 200) resolve(body);
      else reject(problemOf(request.status, body, request.getResponseHeader("x-trace-id")));
    };
    const lost = () => {
      end();
      reject(new Problem("web.offline", 0));
    };
    request.onerror = lost;
    request.onabort = lost;
    request.send(file);
  });
}

/** Sends a file as the body of an operation. Rejects with a {@link Problem}. */
export async function upload<D extends OperationDefinition>(
  operation: D,
  input: Pick<InputOf<D>, "params" | "query">,
  file: Blob,
  options: UploadOptions,
): Promise<OutputOf<D>> {
  const url = urlOf(operation.path, input);
  for (let attempt = 1; ; attempt += 1) {
    const token = await session.token();
    try {
      return (await send(url, token, file, options)) as OutputOf<D>;
    } catch (error) {
      const problem = asProblem(error);
      if (attempt === ATTEMPTS || problem.status !== 401) throw await withText(problem);
      await session.renew(token);
    }
  }
}
