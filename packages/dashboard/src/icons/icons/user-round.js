import createLucideIcon from "../createLucideIcon.js";
const __iconData = {
	name: "user-round",
	size: 24,
	node: [["circle", {
		cx: "12",
		cy: "8",
		r: "5",
		key: "1hypcn"
	}], ["path", {
		d: "M20 21a8 8 0 0 0-16 0",
		key: "rfgkzh"
	}]],
	aliases: ["user-2"]
};
__iconData.node;
const UserRound = createLucideIcon(__iconData);
export { __iconData, UserRound as default };
