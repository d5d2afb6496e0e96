// The parts of this feature that others may use.
export { Thumbnail } from "./picture.tsx";
export const loadPictureUpload = async () => await import("./upload.tsx");
