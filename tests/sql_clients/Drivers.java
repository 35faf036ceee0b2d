import java.math.BigDecimal;
import java.sql.*;
import java.time.*;
import java.util.*;

/** pgjdbc asks the archive. usage: java -cp postgresql.jar Drivers.java PORT */
public class Drivers {
    static void check(String name, Object found, Object wanted) {
        if (!Objects.equals(found, wanted)) throw new AssertionError(name + ": " + found + ", and " + wanted + " was expected");
        System.out.println("  " + name);
    }

    public static void main(String[] args) throws Exception {
        String url = "jdbc:postgresql://127.0.0.1:" + args[0] + "/catwalk?user=demo&sslmode=disable&prepareThreshold=1";
        try (Connection connection = DriverManager.getConnection(url)) {
            try (PreparedStatement one = connection.prepareStatement("SELECT ?::bigint + 1, ?::text, ?::numeric, ?::date, ?::timestamptz, ?::boolean")) {
                for (int time = 0; time < 3; time++) {
                    one.setLong(1, 41);
                    one.setString(2, "it's");
                    one.setBigDecimal(3, new BigDecimal("12.50"));
                    one.setObject(4, LocalDate.of(2026, 11, 15));
                    one.setObject(5, OffsetDateTime.parse("2026-11-15T20:01:02.123456Z"));
                    one.setBoolean(6, true);
                    ResultSet row = one.executeQuery();
                    row.next();
                    if (time < 2) continue;
                    check("values are bound, as text and as bytes", row.getLong(1), 42L);
                    check("texts", row.getString(2), "it's");
                    check("numbers with digits", row.getBigDecimal(3).compareTo(new BigDecimal("12.5")), 0);
                    check("days", row.getObject(4, LocalDate.class), LocalDate.of(2026, 11, 15));
                    check("moments", row.getObject(5, OffsetDateTime.class).toInstant(), Instant.parse("2026-11-15T20:01:02.123456Z"));
                    check("yes and no", row.getBoolean(6), true);
                }
            }
            DatabaseMetaData about = connection.getMetaData();
            Set<String> tables = new TreeSet<>();
            try (ResultSet rows = about.getTables(null, "public", "%", new String[] {"TABLE", "VIEW"})) {
                while (rows.next()) tables.add(rows.getString("TABLE_NAME"));
            }
            check("tables and views", tables.containsAll(List.of("rounds", "wagers", "rounds_dollars")), true);
            Map<String, String> columns = new TreeMap<>();
            try (ResultSet rows = about.getColumns(null, "public", "wagers", "%")) {
                while (rows.next()) columns.put(rows.getString("COLUMN_NAME"), rows.getString("TYPE_NAME") + " " + rows.getString("REMARKS"));
            }
            check("columns, with what they mean", columns.get("amount_cents").startsWith("int8") && columns.get("amount_cents").endsWith("In cents."), true);
            try (ResultSet rows = about.getPrimaryKeys(null, "public", "wagers")) { check("no keys", rows.next(), false); }
            try (ResultSet rows = about.getSchemas()) { check("schemas", rows.next(), true); }
            try (ResultSet rows = about.getIndexInfo(null, "public", "wagers", false, true)) { check("no indexes", rows.next(), false); }
            connection.setAutoCommit(false);
            try (PreparedStatement some = connection.prepareStatement("SELECT seq FROM events ORDER BY table_id, seq LIMIT 1000")) {
                some.setFetchSize(64);
                int count = 0;
                ResultSet rows = some.executeQuery();
                while (rows.next()) count++;
                check("rows come in portions", count, 1000);
            }
            connection.rollback();
            connection.setAutoCommit(true);
            try (Statement slow = connection.createStatement()) {
                slow.setQueryTimeout(1);
                slow.executeQuery("SELECT count(*) FROM events a, events b, events c WHERE a.seq + b.seq + c.seq = -1");
                throw new AssertionError("it was not cancelled");
            } catch (SQLException error) {
                check("a timeout cancels", error.getSQLState(), "57014");
            }
            try (Statement write = connection.createStatement()) {
                write.executeUpdate("DELETE FROM rounds");
                throw new AssertionError("something was deleted");
            } catch (SQLException error) {
                check("nothing is deleted", error.getSQLState(), "25006");
            }
        }
    }
}
