export const credentials: any;
export const base: string;
export const account: any;
export function login(username?: string): Promise<{ access_token: string }>;
export function check(what: string, holds: boolean): void;
