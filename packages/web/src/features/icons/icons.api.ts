// The parts of this feature that others may use.
export const loadIconPicker = async () => await import("./picker.tsx");
