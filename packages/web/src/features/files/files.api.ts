// The parts of this feature that others may use.
import { withTexts } from "#core/i18n.ts";
export { AttachmentList } from "./attachments.tsx";
export { Thumbnail } from "./picture.tsx";
export const loadPictureUpload = withTexts(["files"], async () => await import("./upload.tsx"));
export const loadAttachmentsField = withTexts(["files"], async () => await import("./attach.tsx"));
