// The parts of this feature that others may use.
export { AttachmentList } from "./attachments.tsx";
export { Thumbnail } from "./picture.tsx";
export const loadPictureUpload = async () => await import("./upload.tsx");
export const loadAttachmentsField = async () => await import("./attach.tsx");
