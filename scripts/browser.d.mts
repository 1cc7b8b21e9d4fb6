export const chromium: string | undefined;
