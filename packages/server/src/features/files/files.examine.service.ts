import { hash } from "node:crypto";
import { AppError } from "#core/errors.ts";
import type { Picture, Pictures, Spooled } from "#core/ports/index.ts";
import type { FileKind } from "./files.api.ts";
import { filesErrors, type FileType, pictureTypes } from "./files.contract.ts";
import { typeOf } from "./files.policy.ts";

const thumbnailEdge = 96;

/** What is stored of one upload: pictures are encoded again. */
export interface Content {
  readonly type: FileType;
  readonly size: number;
  readonly sha256: string;
  readonly whole: () => AsyncIterable<Uint8Array>;
  readonly thumbnail: Picture | null;
  readonly width: number | null;
  readonly height: number | null;
}

const isPicture = (type: FileType) => (pictureTypes as readonly FileType[]).includes(type);

export async function* once(bytes: Uint8Array) {
  yield bytes;
}

/** Decides what is stored of an upload: checks its type, and encodes pictures again. */
export class UploadExaminer {
  readonly #pictures: Pick<Pictures, "encode">;

  constructor(pictures: Pick<Pictures, "encode">) {
    this.#pictures = pictures;
  }

  /** Throws `AppError` for content that this kind does not allow, and `BadPicture`. */
  async examine(kind: FileKind, spooled: Spooled, accountId: number): Promise<Content> {
    const { size, sha256 } = spooled;
    if (size === 0) throw new AppError(filesErrors.empty);
    const type = typeOf(spooled.head);
    if (type === null || !kind.types.includes(type))
      throw new AppError(filesErrors.typeNotAllowed, { params: { allowed: kind.types.join(", ") } });
    if (!isPicture(type)) return { type, size, sha256, whole: () => spooled.bytes(), thumbnail: null, width: null, height: null };
    const { whole, thumbnail } = await this.#pictures.encode(
      spooled.bytes(),
      { ...kind.picture, thumbnail: thumbnailEdge },
      `account ${accountId}`,
    );
    const { bytes, width, height } = whole;
    const encoded = { size: bytes.length, sha256: hash("sha256", bytes) };
    return { type: whole.type, ...encoded, whole: () => once(bytes), thumbnail, width, height };
  }
}
