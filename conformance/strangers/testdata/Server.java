// The dispatch server of a small taxi firm, with the five operations of the bookable-taxi interface.
//
//   java Server.java PORT      prints its address; PORT 0 takes a free port
//
// Environment:
//   SPEED    speed of the firm's clock: 1, 60x, 600 and so on (default 1)
//   TOKEN    bearer token that requests must have
//   BASIC    user:password that requests must have; with neither the server is open
//   HOST     address to listen at (default 127.0.0.1)
//   ZONE     time zone of the firm (default Europe/London), for the night tariff and for times without an offset
//   CARS     size of the fleet (default 40)
//   ADVANCE  1: POST /advance {"journeyId","status"} moves a journey on
//   BUG      1 to 15: one mistake, listed in server_test.go

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;

import java.io.IOException;
import java.math.BigDecimal;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.temporal.ChronoUnit;
import java.util.*;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

public class Server {
    static final int BUG = (int) number("BUG", 0);
    static final double SPEED = Math.max(0.001, number("SPEED", 1));
    static final ZoneId ZONE = ZoneId.of(env("ZONE", "Europe/London"));
    static final String TOKEN = env("TOKEN", "");
    static final String BASIC = env("BASIC", "");

    static final boolean ADVANCE = env("ADVANCE", "").equals("1");

    static final int MAX_BODY = 64 * 1024;
    static final int MAX_ADDRESS = 500, MAX_NAME = 200, MAX_STOPS = 10;
    static final double MAX_KM = 500;
    static final Duration LATE = Duration.ofMinutes(5), AHEAD = Duration.ofDays(366);
    static final double LEAD_MINUTES = 20; // how long before the pickup a booking ahead is offered to the drivers

    static String env(String name, String otherwise) {
        String v = System.getenv(name);
        return v == null || v.isBlank() ? otherwise : v.trim();
    }

    static double number(String name, double otherwise) {
        String v = env(name, "").toLowerCase(Locale.ROOT).replaceAll("x$", "");
        return v.isEmpty() ? otherwise : Double.parseDouble(v);
    }

    static boolean bug(int n) {
        return BUG == n;
    }

    // ------------------------------------------------------------------ model

    enum Status {
        HELD, WAITING, ACCEPTED, EN_ROUTE, ARRIVED, POB, COMPLETE, CANCELLED;

        boolean over() {
            return this == COMPLETE || this == CANCELLED;
        }

        boolean hasCar() {
            return this == ACCEPTED || this == EN_ROUTE || this == ARRIVED || this == POB;
        }
    }

    record Point(double lon, double lat) {
        double km(Point o) {
            double p1 = Math.toRadians(lat), p2 = Math.toRadians(o.lat);
            double dp = p2 - p1, dl = Math.toRadians(o.lon - lon);
            double a = Math.pow(Math.sin(dp / 2), 2) + Math.cos(p1) * Math.cos(p2) * Math.pow(Math.sin(dl / 2), 2);
            return 2 * 6371 * Math.asin(Math.min(1, Math.sqrt(a)));
        }

        Point towards(Point o, double share) {
            double f = Math.max(0, Math.min(1, share));
            double dl = o.lon - lon;
            if (dl > 180) dl -= 360;
            if (dl < -180) dl += 360;
            return new Point(wrap(lon + dl * f), lat + (o.lat - lat) * f);
        }

        static double wrap(double lon) {
            return lon > 180 ? lon - 360 : lon < -180 ? lon + 360 : lon;
        }

        Map<String, Object> json() {
            return obj("longitude", decimal(lon), "latitude", decimal(lat));
        }

        static BigDecimal decimal(double v) {
            return BigDecimal.valueOf(v).setScale(6, java.math.RoundingMode.HALF_UP).stripTrailingZeros();
        }
    }

    /** An address as it was received. Its coordinates are sent back digit by digit. */
    record Address(String text, Point at, BigDecimal lon, BigDecimal lat) {
        Map<String, Object> json() {
            return obj("address", text, "location", obj("longitude", lon, "latitude", lat));
        }

        boolean same(Address o) {
            return text.equals(o.text) && at.equals(o.at);
        }
    }

    static final class User {
        final String id, phone;
        String name;
        final String status;
        boolean guest;

        User(String id, String phone, String name, String status, boolean guest) {
            this.id = id;
            this.phone = phone;
            this.name = name;
            this.status = status;
            this.guest = guest;
        }
    }

    static final class Car {
        final String description, registration, driver, phone, badge, kind;
        boolean free = true;

        Car(String description, String registration, String driver, String phone, String badge, String kind) {
            this.description = description;
            this.registration = registration;
            this.driver = driver;
            this.phone = phone;
            this.badge = badge;
            this.kind = kind;
        }
    }

    static final class Journey {
        String id, owner, name, phone, category;
        Address pickup;
        List<Address> dropoffs;
        Instant date;
        Status status;
        long pence;
        long at;              // when the status began, milliseconds of the wall clock
        long due;             // when the firm's clock shows the pickup time, milliseconds of the wall clock
        long waitMs, acceptMs, approachMs, boardMs, rideMs;
        Car car;
        Point start;          // where the car was when its driver accepted
        Object snapshot;
    }

    static final Object LOCK = new Object();
    static final Map<String, User> byPhone = new ConcurrentHashMap<>();
    static final Map<String, User> byId = new ConcurrentHashMap<>();
    static final Map<String, Journey> journeys = new LinkedHashMap<>();
    static final Map<String, String> repeats = new LinkedHashMap<>(); // Idempotency-Key of a user -> journey
    static final List<Car> fleet = new ArrayList<>();
    static final SecureRandom random = new SecureRandom();

    static long ms(double simSeconds) {
        return Math.round(simSeconds * 1000 / SPEED);
    }

    static String newId(String prefix) {
        String letters = "23456789ABCDEFGHJKMNPQRSTVWXYZ";
        StringBuilder b = new StringBuilder(prefix);
        for (int i = 0; i < 10; i++) b.append(letters.charAt(random.nextInt(letters.length())));
        return b.toString();
    }

    // ------------------------------------------------------------------ tariff

    static double roadKm(Address pickup, List<Address> dropoffs) {
        double km = 0;
        Point from = pickup.at;
        for (Address d : dropoffs) {
            km += from.km(d.at) * 1.25;
            from = d.at;
        }
        return km;
    }

    /** 3.60 for the first 500 m, 1.90 per km up to 10 km and 1.60 after that, 1.50 per stop. Nights and larger cars cost more. */
    static long fare(Address pickup, List<Address> dropoffs, Instant date, String category) {
        double km = Math.max(0, roadKm(pickup, dropoffs) - 0.5);
        double pence = 360 + 190 * Math.min(km, 10) + 160 * Math.max(0, km - 10) + 150.0 * (dropoffs.size() - 1);
        pence *= switch (kind(category)) {
            case "mpv" -> 1.4;
            case "executive" -> 1.6;
            default -> 1.0;
        };
        int hour = date.atZone(ZONE).getHour();
        if (hour >= 22 || hour < 6) pence *= 1.2;
        return Math.max(600, (long) Math.ceil(Math.round(pence) / 10.0) * 10);
    }

    static String kind(String category) {
        if (category == null) return "standard";
        return switch (category.trim().toLowerCase(Locale.ROOT)) {
            case "mpv", "minibus", "van", "large", "xl", "people carrier" -> "mpv";
            case "executive", "exec", "premium", "luxury" -> "executive";
            case "wheelchair", "wav", "accessible" -> "wheelchair";
            case "estate", "combi", "station wagon" -> "estate";
            default -> "standard";
        };
    }

    // ------------------------------------------------------------------ dispatch

    static void plan(Journey j, long now) {
        Random r = new Random(j.id.hashCode() * 31L + j.pickup.text.hashCode());
        double bearing = r.nextDouble() * 2 * Math.PI, km = 1.0 + r.nextDouble() * 1.6;
        double lat = j.pickup.at.lat + km / 111.2 * Math.cos(bearing);
        double lon = j.pickup.at.lon + km / (111.2 * Math.max(0.05, Math.cos(Math.toRadians(j.pickup.at.lat)))) * Math.sin(bearing);
        j.start = new Point(Point.wrap(lon), Math.max(-90, Math.min(90, lat)));
        j.waitMs = ms(90 + r.nextInt(60));
        j.acceptMs = ms(90 + r.nextInt(60));
        j.approachMs = ms(Math.max(90, km * 1.3 / 27 * 3600));
        j.boardMs = ms(120);
        planRide(j);
        release(j);
        // The firm's clock starts at the booking: at 60x, a pickup in an hour is a minute away.
        j.due = now + ms((j.date.toEpochMilli() - now) / 1000.0);
        j.status = j.due - ms(LEAD_MINUTES * 60) > now ? Status.HELD : Status.WAITING;
        j.at = now;
    }

    static void planRide(Journey j) {
        j.rideMs = ms(Math.max(120, roadKm(j.pickup, j.dropoffs) / 32 * 3600));
    }

    static void release(Journey j) {
        if (j.car != null) j.car.free = true;
        j.car = null;
    }

    static Car freeCar(String category) {
        String kind = kind(category);
        for (Car c : fleet) if (c.free && c.kind.equals(kind)) return c;
        if (kind.equals("standard"))
            for (Car c : fleet) if (c.free && !c.kind.equals("wheelchair")) return c;
        return null;
    }

    /** Moves every journey on to the present. The caller holds LOCK. */
    static void advance(long now) {
        for (Journey j : journeys.values()) {
            while (!j.status.over()) {
                long due = switch (j.status) {
                    case HELD -> Math.max(j.at, j.due - ms(LEAD_MINUTES * 60));
                    case WAITING -> j.at + j.waitMs;
                    case ACCEPTED -> j.at + j.acceptMs;
                    case EN_ROUTE -> j.at + j.approachMs;
                    case ARRIVED -> Math.max(j.at + j.boardMs, j.due);
                    default -> j.at + j.rideMs;
                };
                if (due > now) break;
                if (j.status == Status.WAITING) {
                    Car c = freeCar(j.category);
                    if (c == null) break; // no car is free: the customer waits
                    c.free = false;
                    j.car = c;
                    if (now - due > 2000) due = now;
                }
                j.status = Status.values()[j.status.ordinal() + 1];
                j.at = due;
                if (j.status == Status.COMPLETE) release(j);
            }
        }
    }

    /** Moves one journey to a status without waiting, for tests. */
    static Object moveTo(Map<String, Object> in) {
        Status to = Status.valueOf(string(in, "status", true, 20));
        long now = System.currentTimeMillis();
        synchronized (LOCK) {
            Journey j = journeys.get(string(in, "journeyId", true, 100));
            if (j == null) throw new Refusal(404, "unknown_journey", "no such journey");
            while (!j.status.over() && j.status.ordinal() < Math.min(to.ordinal(), Status.COMPLETE.ordinal())) {
                if (j.status == Status.WAITING) {
                    j.car = freeCar(j.category);
                    if (j.car == null) throw new Refusal(409, "no_car", "no car is free");
                    j.car.free = false;
                }
                j.status = Status.values()[j.status.ordinal() + 1];
                j.at = now;
                if (j.status == Status.COMPLETE) release(j);
            }
            return obj("journeyId", j.id, "status", j.status.name());
        }
    }

    static Point location(Journey j, long now) {
        if (!j.status.hasCar()) return null;
        double share = (double) (now - j.at);
        switch (j.status) {
            case ACCEPTED:
                return j.start;
            case EN_ROUTE:
                return j.start.towards(j.pickup.at, share / Math.max(1, j.approachMs));
            case ARRIVED:
                return j.pickup.at;
            default:
        }
        double total = roadKm(j.pickup, j.dropoffs), gone = total * Math.min(1, share / Math.max(1, j.rideMs));
        Point from = j.pickup.at;
        for (Address d : j.dropoffs) {
            double leg = from.km(d.at) * 1.25;
            if (gone <= leg) return leg == 0 ? d.at : from.towards(d.at, gone / leg);
            gone -= leg;
            from = d.at;
        }
        return from;
    }

    /** Seconds of the firm's clock until the car is at the pickup; -1: there is no ETA. */
    static double secondsAway(Journey j, long now) {
        long left = switch (j.status) {
            case WAITING -> Math.max(0, j.at + j.waitMs - now) + j.acceptMs + j.approachMs;
            case ACCEPTED -> Math.max(0, j.at + j.acceptMs - now) + j.approachMs;
            case EN_ROUTE -> Math.max(0, j.at + j.approachMs - now);
            case ARRIVED -> 0;
            default -> -1;
        };
        return left < 0 ? -1 : left * SPEED / 1000;
    }

    static Map<String, Object> view(Journey j, long now, boolean reading) {
        Map<String, Object> m = obj("journeyId", j.id, "date", j.date.toString(), "status", j.status.name());
        double s = secondsAway(j, now);
        if (s >= 0) {
            long value = bug(10) ? Math.round(s) : (long) Math.ceil(s / 60);
            m.put("eta", obj("value", value, "unit", "minutes"));
        }
        BigDecimal value = reading && bug(1) ? BigDecimal.valueOf(j.pence) : BigDecimal.valueOf(j.pence, 2);
        m.put("price", obj("value", value, "currency", "GBP", "type", "FIXED"));
        m.put("pickup", j.pickup.json());
        List<Object> d = new ArrayList<>();
        for (Address a : j.dropoffs) d.add(a.json());
        m.put("dropoffs", d);
        m.put("passenger", obj("phoneNumber", j.phone, "name", j.name));
        if (j.category != null) m.put("vehicleCategory", j.category);
        if (j.car != null && j.status.hasCar()) {
            m.put("vehicle", obj("description", j.car.description, "registration", j.car.registration));
            m.put("driver", obj("name", j.car.driver, "phoneNumber", j.car.phone, "badgeNumber", j.car.badge));
            m.put("location", location(j, now).json());
        }
        return m;
    }

    // ------------------------------------------------------------------ the five operations

    static Object config(Map<String, Object> in) {
        object(in, "data", false);
        synchronized (LOCK) {
            advance(System.currentTimeMillis());
            long free = fleet.stream().filter(c -> c.free).count();
            long minutes = free == 0 ? 25 : 5 + Math.round(8.0 * (fleet.size() - free) / fleet.size());
            // Fares depend on the distance, so the platform has to ask for the drop-off.
            return obj("status", "OK", "eta", obj("value", minutes, "unit", "minutes"), "data", obj("skipDropOff", false));
        }
    }

    static Object user(Map<String, Object> in) {
        String phone = phone(in);
        object(in, "data", false);
        User u = bug(9) ? careless(phone) : userOf(phone);
        long now = System.currentTimeMillis();
        synchronized (LOCK) {
            advance(now);
            List<Journey> active = new ArrayList<>();
            for (Journey j : journeys.values()) if (j.owner.equals(u.id) && !j.status.over()) active.add(j);
            active.sort(Comparator.comparing((Journey j) -> j.date));
            List<Object> list = new ArrayList<>();
            for (Journey j : active) list.add(bug(5) ? j.snapshot : view(j, now, true));
            return obj("userId", u.id, "phoneNumber", u.phone, "name", u.name, "status", u.status,
                    "data", obj("skipDropOff", false), "activeBookings", list);
        }
    }

    static User userOf(String phone) {
        return byPhone.computeIfAbsent(phone, p -> {
            User u = new User(newId("U"), p, "Guest", "ENABLED", true);
            byId.put(u.id, u);
            return u;
        });
    }

    static User careless(String phone) {
        User u = byPhone.get(phone);
        if (u != null) return u;
        u = new User(newId("U"), phone, "Guest", "ENABLED", true);
        byId.put(u.id, u);
        pause(15); // the customer file is written slowly
        byPhone.put(phone, u);
        return u;
    }

    static void pause(long ms) {
        try {
            Thread.sleep(ms);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    static Object book(Map<String, Object> in, String repeatKey) {
        String id = string(in, "journeyId", false, 100);
        boolean edit = bug(13) ? in.containsKey("journeyId") : id != null;
        String userId = string(in, "userId", false, 100);
        String name = string(in, "name", true, MAX_NAME);
        String phone = phone(in);
        Address pickup = address(in.get("pickup"), "pickup");
        List<Address> dropoffs = dropoffs(in.get("dropoffs"));
        Instant date = date(string(in, "pickupTime", true, 64));
        String category = string(in, "vehicleCategory", false, 100);
        object(in, "data", false);
        if (roadKm(pickup, dropoffs) > MAX_KM) throw new Refusal(422, "too_far", "we do not drive that far");
        if (bug(6)) dropoffs = List.of(dropoffs.get(dropoffs.size() - 1));

        User owner;
        if (userId != null) {
            owner = byId.get(userId);
            if (owner == null) throw new Refusal(404, "unknown_user", "no such user");
        } else {
            owner = userOf(phone);
        }
        long now = System.currentTimeMillis();
        synchronized (LOCK) {
            advance(now);
            if (!owner.status.equals("ENABLED")) throw new Refusal(403, "user_not_allowed", "this user cannot book");
            Journey j;
            if (edit) {
                j = journeys.get(id == null ? "" : id);
                boolean theirs = j != null && (userId != null ? j.owner.equals(userId)
                        : phone.equals(byId.get(j.owner).phone) || phone.equals(j.phone));
                if (!theirs) throw new Refusal(404, "unknown_journey", "no such journey");
                edit(j, name, phone, pickup, dropoffs, date, category, now);
            } else {
                notPast(date, now);
                String key = repeatKey == null ? null : owner.id + " " + repeatKey;
                if (key != null && journeys.containsKey(repeats.getOrDefault(key, ""))) {
                    return view(journeys.get(repeats.get(key)), now, false);
                }
                j = new Journey();
                do j.id = bug(8) ? "J" + now / 1000 : newId("J"); while (!bug(8) && journeys.containsKey(j.id));
                j.owner = owner.id;
                j.name = name;
                j.phone = phone;
                j.pickup = pickup;
                j.dropoffs = dropoffs;
                j.date = date;
                j.category = category;
                j.pence = fare(pickup, dropoffs, date, category);
                plan(j, now);
                journeys.put(j.id, j);
                if (key != null) repeats.put(key, j.id);
                if (owner.guest && phone.equals(owner.phone)) {
                    owner.name = name;
                    owner.guest = false;
                }
            }
            if (bug(15)) {
                User o = byId.get(j.owner);
                j.name = o.name;
                j.phone = o.phone;
            }
            j.snapshot = view(j, now, true);
            return view(j, now, false);
        }
    }

    static void edit(Journey j, String name, String phone, Address pickup, List<Address> dropoffs, Instant date,
                     String category, long now) {
        if (j.status.over() || j.status == Status.POB) {
            throw new Refusal(409, "not_editable", "the journey can no longer be changed: " + j.status);
        }
        if (category == null) category = j.category;
        boolean moved = !date.equals(j.date);
        boolean again = moved || !pickup.same(j.pickup) || !kind(category).equals(kind(j.category));
        if (again && (j.status == Status.EN_ROUTE || j.status == Status.ARRIVED)) {
            throw new Refusal(409, "not_editable", "the taxi is on its way: only the destination can be changed");
        }
        if (moved) notPast(date, now);
        j.name = name;
        j.phone = phone;
        j.pickup = pickup;
        j.dropoffs = dropoffs;
        j.date = date;
        j.category = category;
        if (!bug(2)) j.pence = fare(pickup, dropoffs, date, category);
        if (again) plan(j, now);
        else planRide(j);
    }

    static void notPast(Instant date, long now) {
        Instant n = Instant.ofEpochMilli(now);
        if (date.isBefore(n.minus(LATE))) throw new Refusal(422, "pickup_in_past", "the pickup time has passed");
        if (date.isAfter(n.plus(AHEAD))) throw new Refusal(422, "pickup_too_late", "we do not book so far ahead");
    }

    static Journey find(Map<String, Object> in) {
        String userId = string(in, "userId", true, 100), id = string(in, "journeyId", true, 100);
        Journey j = journeys.get(id);
        // Another user's journey is answered like one that does not exist.
        if (j == null || !bug(7) && !j.owner.equals(userId)) throw new Refusal(404, "unknown_journey", "no such journey");
        return j;
    }

    static Object cancel(Map<String, Object> in) {
        long now = System.currentTimeMillis();
        synchronized (LOCK) {
            advance(now);
            Journey j = find(in);
            if (j.status == Status.POB || j.status == Status.COMPLETE) {
                throw new Refusal(409, "not_cancellable", "the journey can no longer be cancelled: " + j.status);
            }
            if (bug(11) && j.status.hasCar()) {
                Map<String, Object> m = view(j, now, false);
                m.put("status", "CANCELLED");
                m.keySet().removeAll(List.of("eta", "vehicle", "driver", "location"));
                return m;
            }
            if (j.status != Status.CANCELLED) {
                release(j);
                j.status = Status.CANCELLED;
                j.at = now;
            }
            if (bug(3)) journeys.remove(j.id);
            return view(j, now, false);
        }
    }

    static Object status(Map<String, Object> in) {
        long now = System.currentTimeMillis();
        synchronized (LOCK) {
            advance(now);
            return view(find(in), now, true);
        }
    }

    // ------------------------------------------------------------------ validation

    static final class Refusal extends RuntimeException {
        final int http;
        final String code;

        Refusal(int http, String code, String message) {
            super(message, null, false, false);
            this.http = http;
            this.code = code;
        }
    }

    static Refusal invalid(String field, String why) {
        return new Refusal(400, "invalid_request", field + ": " + why);
    }

    static String string(Map<String, Object> in, String key, boolean required, int max) {
        Object v = in.get(key);
        if (v == null) {
            if (required) throw invalid(key, "is required");
            return null;
        }
        if (!(v instanceof String s)) throw invalid(key, "has to be a string");
        s = s.strip();
        if (s.isEmpty()) throw invalid(key, "is empty");
        if (s.length() > max) throw invalid(key, "is too long");
        return s;
    }

    static final Pattern E164 = Pattern.compile("\\+?[1-9][0-9]{6,14}");

    static String phone(Map<String, Object> in) {
        String s = string(in, "phoneNumber", true, 40);
        if (!E164.matcher(s).matches()) throw invalid("phoneNumber", "has to be E.164");
        return s.startsWith("+") ? s.substring(1) : s;
    }

    @SuppressWarnings("unchecked")
    static Map<String, Object> object(Map<String, Object> in, String key, boolean required) {
        Object v = in.get(key);
        if (v == null && !required) return null;
        if (!(v instanceof Map)) throw invalid(key, "has to be an object");
        return (Map<String, Object>) v;
    }

    @SuppressWarnings("unchecked")
    static Address address(Object v, String what) {
        if (v == null) throw invalid(what, "is required");
        if (!(v instanceof Map)) throw invalid(what, "has to be an object");
        Map<String, Object> m = (Map<String, Object>) v;
        String text = string(m, "address", true, MAX_ADDRESS);
        Map<String, Object> p = object(m, "location", true);
        BigDecimal lon = coordinate(p, "longitude", 180), lat = coordinate(p, "latitude", 90);
        return new Address(text, new Point(lon.doubleValue(), lat.doubleValue()), lon, lat);
    }

    static BigDecimal coordinate(Map<String, Object> p, String key, int max) {
        if (!(p.get(key) instanceof BigDecimal n)) throw invalid(key, "has to be a number");
        if (Math.abs(n.doubleValue()) > max) throw invalid(key, "is out of range");
        return n;
    }

    static List<Address> dropoffs(Object v) {
        if (!(v instanceof List<?> list)) throw invalid("dropoffs", "has to be a list");
        if (list.isEmpty()) throw invalid("dropoffs", "needs at least one");
        if (list.size() > MAX_STOPS) throw invalid("dropoffs", "are too many");
        List<Address> out = new ArrayList<>();
        for (Object o : list) out.add(address(o, "dropoffs"));
        return List.copyOf(out);
    }

    static final DateTimeFormatter SHORT_OFFSET = new DateTimeFormatterBuilder().parseCaseInsensitive()
            .append(DateTimeFormatter.ISO_LOCAL_DATE_TIME).appendOffset("+HHmm", "Z").toFormatter(Locale.ROOT);

    static Instant date(String s) {
        try {
            return exact(s).truncatedTo(ChronoUnit.SECONDS);
        } catch (DateTimeException e) {
            throw invalid("pickupTime", "has to be an ISO 8601 date-time");
        }
    }

    static Instant exact(String s) {
        if (bug(4)) {
            DateTimeFormatter f = DateTimeFormatter.ISO_DATE_TIME;
            try {
                return LocalDateTime.parse(s, f).toInstant(ZoneOffset.UTC);
            } catch (DateTimeException e) {
                return LocalDateTime.parse(s, SHORT_OFFSET).toInstant(ZoneOffset.UTC);
            }
        }
        try {
            return OffsetDateTime.parse(s).toInstant();
        } catch (DateTimeException e) {
            try {
                return OffsetDateTime.parse(s, SHORT_OFFSET).toInstant();
            } catch (DateTimeException e2) {
                return LocalDateTime.parse(s).atZone(ZONE).toInstant();
            }
        }
    }

    // ------------------------------------------------------------------ HTTP

    static void handle(HttpExchange x) throws IOException {
        int http = 200;
        Object out;
        try {
            String path = x.getRequestURI().getPath();
            if (path == null) path = "";
            if (path.length() > 1 && path.endsWith("/")) path = path.substring(0, path.length() - 1);
            if (!Set.of("/config", "/user", "/book", "/cancel", "/status").contains(path) && !(ADVANCE && path.equals("/advance"))) {
                throw new Refusal(404, "not_found", "no such operation");
            }
            if (!x.getRequestMethod().equals("POST")) {
                x.getResponseHeaders().set("Allow", "POST");
                throw new Refusal(405, "method_not_allowed", "POST only");
            }
            authorise(x);
            String type = x.getRequestHeaders().getFirst("Content-Type");
            if (type != null && !type.split(";")[0].trim().equalsIgnoreCase("application/json")) {
                throw new Refusal(415, "unsupported_media_type", "JSON only");
            }
            byte[] body = x.getRequestBody().readNBytes(MAX_BODY + 1);
            if (body.length > MAX_BODY) throw new Refusal(413, "too_large", "the request is too large");
            Map<String, Object> in = Json.object(body);
            String repeat = x.getRequestHeaders().getFirst("Idempotency-Key");
            out = switch (path) {
                case "/config" -> config(in);
                case "/user" -> user(in);
                case "/book" -> book(in, repeat);
                case "/cancel" -> cancel(in);
                case "/advance" -> moveTo(in);
                default -> status(in);
            };
        } catch (Refusal r) {
            http = bug(12) && Set.of(400, 403, 404, 409, 422).contains(r.http) ? 200 : r.http;
            out = obj("error", obj("code", r.code, "message", r.getMessage()));
        } catch (RuntimeException e) {
            e.printStackTrace();
            http = 500;
            out = obj("error", obj("code", "internal", "message", "something went wrong here"));
        }
        byte[] bytes = Json.text(out).getBytes(StandardCharsets.UTF_8);
        x.getResponseHeaders().set("Content-Type", "application/json; charset=utf-8");
        x.getResponseHeaders().set("Cache-Control", "no-store");
        boolean head = x.getRequestMethod().equals("HEAD");
        x.sendResponseHeaders(http, head ? -1 : bytes.length);
        if (!head) x.getResponseBody().write(bytes);
        x.close();
    }

    static void authorise(HttpExchange x) {
        if (TOKEN.isEmpty() && BASIC.isEmpty()) return;
        String got = x.getRequestHeaders().getFirst("Authorization");
        String[] part = got == null ? new String[0] : got.trim().split("\\s+", 2);
        String scheme = TOKEN.isEmpty() ? "Basic" : "Bearer";
        String want = TOKEN.isEmpty() ? Base64.getEncoder().encodeToString(BASIC.getBytes(StandardCharsets.UTF_8)) : TOKEN;
        if (part.length == 2 && part[0].equalsIgnoreCase(scheme)
                && MessageDigest.isEqual(part[1].getBytes(StandardCharsets.UTF_8), want.getBytes(StandardCharsets.UTF_8))) {
            return;
        }
        x.getResponseHeaders().set("WWW-Authenticate", scheme + " realm=\"dispatch\"");
        throw new Refusal(401, "unauthorised", "credentials are missing or wrong");
    }

    static Map<String, Object> obj(Object... kv) {
        Map<String, Object> m = new LinkedHashMap<>();
        for (int i = 0; i < kv.length; i += 2) m.put((String) kv[i], kv[i + 1]);
        return m;
    }

    // ------------------------------------------------------------------ JSON

    static final class Json {
        final String s;
        int i;

        Json(String s) {
            this.s = s;
        }

        @SuppressWarnings("unchecked")
        static Map<String, Object> object(byte[] body) {
            String text;
            try {
                text = bug(14) ? new String(body, StandardCharsets.ISO_8859_1)
                        : StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(body)).toString();
            } catch (CharacterCodingException e) {
                throw new Refusal(400, "invalid_json", "the request is not UTF-8");
            }
            Json p = new Json(text);
            Object v = p.value(0);
            p.space();
            if (p.i < text.length()) throw p.bad();
            if (!(v instanceof Map)) throw new Refusal(400, "invalid_request", "the request has to be an object");
            return (Map<String, Object>) v;
        }

        Refusal bad() {
            return new Refusal(400, "invalid_json", "the request is not JSON");
        }

        void space() {
            while (i < s.length() && " \t\r\n".indexOf(s.charAt(i)) >= 0) i++;
        }

        char next() {
            if (i >= s.length()) throw bad();
            return s.charAt(i++);
        }

        boolean take(char c) {
            space();
            if (i < s.length() && s.charAt(i) == c) {
                i++;
                return true;
            }
            return false;
        }

        static final Pattern NUMBER = Pattern.compile("-?(0|[1-9][0-9]*)(\\.[0-9]+)?([eE][+-]?[0-9]{1,4})?");

        Object value(int depth) {
            if (depth > 40) throw bad();
            if (take('{')) {
                Map<String, Object> m = new LinkedHashMap<>();
                if (take('}')) return m;
                do {
                    if (!take('"')) throw bad();
                    String k = string();
                    if (!take(':')) throw bad();
                    m.put(k, value(depth + 1));
                } while (take(','));
                if (!take('}')) throw bad();
                return m;
            }
            if (take('[')) {
                List<Object> l = new ArrayList<>();
                if (take(']')) return l;
                do l.add(value(depth + 1)); while (take(','));
                if (!take(']')) throw bad();
                return l;
            }
            if (take('"')) return string();
            if (s.startsWith("true", i)) return word(4, true);
            if (s.startsWith("false", i)) return word(5, false);
            if (s.startsWith("null", i)) return word(4, null);
            var m = NUMBER.matcher(s).region(i, s.length());
            if (!m.lookingAt() || m.end() - i > 60) throw bad();
            i = m.end();
            return new BigDecimal(m.group());
        }

        Object word(int n, Object v) {
            i += n;
            return v;
        }

        String string() {
            StringBuilder b = new StringBuilder();
            for (char c = next(); c != '"'; c = next()) {
                if (c < 0x20) throw bad();
                if (c != '\\') {
                    b.append(c);
                    continue;
                }
                switch (c = next()) {
                    case '"', '\\', '/' -> b.append(c);
                    case 'b' -> b.append('\b');
                    case 'f' -> b.append('\f');
                    case 'n' -> b.append('\n');
                    case 'r' -> b.append('\r');
                    case 't' -> b.append('\t');
                    case 'u' -> {
                        int u = 0;
                        for (int n = 0; n < 4; n++) {
                            int d = Character.digit(next(), 16);
                            if (d < 0) throw bad();
                            u = u * 16 + d;
                        }
                        b.append((char) u);
                    }
                    default -> throw bad();
                }
            }
            for (int n = 0; n < b.length(); n++) { // half of a surrogate pair is not text
                if (Character.isHighSurrogate(b.charAt(n)) && n + 1 < b.length() && Character.isLowSurrogate(b.charAt(n + 1))) n++;
                else if (Character.isSurrogate(b.charAt(n))) throw bad();
            }
            return b.toString();
        }

        static String text(Object v) {
            StringBuilder b = new StringBuilder();
            write(b, v);
            return b.toString();
        }

        static void write(StringBuilder b, Object v) {
            if (v instanceof Map<?, ?> m) {
                String sep = "{";
                if (m.isEmpty()) b.append('{');
                for (var e : m.entrySet()) {
                    b.append(sep);
                    write(b, e.getKey());
                    b.append(':');
                    write(b, e.getValue());
                    sep = ",";
                }
                b.append('}');
            } else if (v instanceof List<?> l) {
                b.append('[');
                for (int n = 0; n < l.size(); n++) {
                    if (n > 0) b.append(',');
                    write(b, l.get(n));
                }
                b.append(']');
            } else if (v instanceof String s) {
                b.append('"');
                for (char c : s.toCharArray()) {
                    if (c == '"' || c == '\\') b.append('\\').append(c);
                    else if (c < 0x20 || c == 0x2028 || c == 0x2029) b.append(String.format("\\u%04x", (int) c));
                    else b.append(c);
                }
                b.append('"');
            } else if (v instanceof BigDecimal n) {
                b.append(Math.abs(n.scale()) > 30 ? n.toString() : n.toPlainString());
            } else {
                b.append(v);
            }
        }
    }

    // ------------------------------------------------------------------ start

    static void people() {
        String[][] known = {
                {"447700900101", "Ada Bramley", "ENABLED"}, {"447700900102", "Zoë Čapková", "ENABLED"},
                {"447700900103", "Femi Adeyemi", "ENABLED"}, {"447700900108", "Dennis Shutt", "DISABLED"},
                {"447700900109", "Barry Nixon", "BLACKLISTED"}};
        for (String[] k : known) {
            User u = new User(newId("U"), k[0], k[1], k[2], false);
            byPhone.put(u.phone, u);
            byId.put(u.id, u);
        }
        String[] drivers = {"Imran", "Tessa", "George", "Wioletta", "Desmond", "Priya", "Callum", "Ngozi", "Marek", "Elin"};
        String[] cars = {"Silver Skoda Octavia", "White Toyota Prius", "Black Ford Mondeo", "Blue Kia e-Niro"};
        int n = (int) number("CARS", 40);
        for (int i = 0; i < n; i++) {
            String kind = switch (i % 10) {
                case 6 -> "estate";
                case 7 -> "mpv";
                case 8 -> "executive";
                case 9 -> "wheelchair";
                default -> "standard";
            };
            String car = switch (kind) {
                case "estate" -> "Grey Volvo V60 estate";
                case "mpv" -> "White Ford Galaxy";
                case "executive" -> "Black Mercedes E-Class";
                case "wheelchair" -> "Green Peugeot Partner with ramp";
                default -> cars[i % cars.length];
            };
            fleet.add(new Car(car, String.format("KX%02d %s", 18 + i % 7, plate(i)),
                    drivers[i % drivers.length], "4477009005" + String.format("%02d", i % 100), "B" + (4100 + 17 * i), kind));
        }
    }

    static String plate(int i) {
        return "" + (char) ('A' + i % 26) + (char) ('B' + i / 26 % 20) + (char) ('K' + i % 11);
    }

    public static void main(String[] args) throws Exception {
        if (args.length != 1) {
            System.err.println("usage: java Server.java PORT");
            System.exit(2);
        }
        System.setProperty("sun.net.httpserver.nodelay", "true");
        System.setProperty("sun.net.httpserver.maxReqTime", "30");
        people();
        var at = new InetSocketAddress(InetAddress.getByName(env("HOST", "127.0.0.1")), Integer.parseInt(args[0]));
        HttpServer server = HttpServer.create(at, 128);
        server.createContext("/", Server::handle);
        server.setExecutor(Executors.newFixedThreadPool(24));
        server.start();
        var clock = Executors.newSingleThreadScheduledExecutor(r -> {
            Thread t = new Thread(r, "clock");
            t.setDaemon(true);
            return t;
        });
        clock.scheduleWithFixedDelay(() -> {
            synchronized (LOCK) {
                advance(System.currentTimeMillis());
            }
        }, 200, 200, TimeUnit.MILLISECONDS);
        System.out.printf("http://%s:%d%n", at.getHostString(), server.getAddress().getPort());
    }
}
