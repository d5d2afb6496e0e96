export const schedulerContract = {};
